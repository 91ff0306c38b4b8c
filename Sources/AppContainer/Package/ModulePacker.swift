import BillfoldJSON
public import Foundation

/// Turns a mini program's scripts into CommonJS, at packing time.
public protocol ModulePacker: Sendable {
    /// - Parameters:
    ///   - scripts: Paths within the package, each with a leading slash.
    ///   - root: The folder they lie in.
    /// - Returns: The modules by the same paths; TypeScript keeps its suffix.
    /// - Throws: `packing-failed`, `syntax-error`.
    func pack(_ scripts: [String], in root: URL) throws(AppContainerError) -> [String: MiniProgramCode.Module]
}

#if os(Linux) || os(macOS)
    /// Packs with esbuild: each file by itself, ES modules and TypeScript to CommonJS, with a source map.
    public struct ESBuildPacker: ModulePacker {
        public var executable: URL
        /// Where packed files lie until they are read.
        public var temporary: URL

        public init(executable: URL, temporary: URL = FileManager.default.temporaryDirectory) {
            self.executable = executable
            self.temporary = temporary
        }

        /// The first `esbuild` in a search path such as `$PATH`; nil where there is none.
        public static func find(in path: String) -> ESBuildPacker? {
            path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "esbuild") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }.map { ESBuildPacker(executable: $0) }
        }

        public func pack(_ scripts: [String], in root: URL) throws(AppContainerError) -> [String: MiniProgramCode.Module] {
            guard !scripts.isEmpty else { return [:] }
            let out: URL
            do {
                out = try FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: temporary.appending(path: "packed"), create: true)
            } catch {
                throw AppContainerError(code: .packingFailed, reason: "no temporary folder")
            }
            defer { try? FileManager.default.removeItem(at: out) }
            try run(
                scripts.map { "." + $0 } + [
                    "--outdir=\(out.path)", "--outbase=.", "--format=cjs", "--sourcemap=external", "--sources-content=false",
                    "--log-level=error", "--color=false", "--charset=utf8", "--platform=neutral", "--target=es2021",
                ], in: root)
            var modules: [String: MiniProgramCode.Module] = [:]
            for script in scripts {
                let packed = out.path + (script.hasSuffix(".ts") ? script.dropLast(3) + ".js" : script)
                guard let text = FileManager.default.contents(atPath: packed),
                    let map = FileManager.default.contents(atPath: packed + ".map")
                else { throw AppContainerError(code: .packingFailed, reason: "esbuild left out \(AppContainerError.quoted(script))") }
                modules[script] = MiniProgramCode.Module(
                    text: String(decoding: text, as: UTF8.self), map: try Self.map([UInt8](map), of: script))
            }
            return modules
        }

        /// esbuild names sources from where the map lies, in a folder that is gone: here they are the script itself.
        private static func map(_ bytes: [UInt8], of script: String) throws(AppContainerError) -> SourceMap {
            guard var object = try? JSONReader.readObject(bytes, maximumBytes: 33_554_432), let sources = object["sources"]?.array else {
                throw AppContainerError(code: .malformedSourceMap, reason: "esbuild wrote none for \(AppContainerError.quoted(script))")
            }
            object["sources"] = .array(sources.map { _ in .string(script) })
            return try SourceMap(JSONWriter.write(object))
        }

        private func run(_ arguments: [String], in root: URL) throws(AppContainerError) {
            let process = Process()
            let errors = Pipe()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = root
            process.standardError = errors
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            do {
                try process.run()
            } catch {
                throw AppContainerError(code: .packingFailed, reason: "esbuild cannot be started")
            }
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                let shown = lines.prefix(2).joined(separator: " at ")
                // Below an error esbuild says where it lies: `pages/a/a.js:3:10:`.
                let isPlaced = lines.prefix(2).last?.wholeMatch(of: /.+:[0-9]+:[0-9]+:/) != nil
                throw AppContainerError(code: isPlaced ? .syntaxError : .packingFailed, reason: AppContainerError.quoted(shown))
            }
        }
    }
#endif
