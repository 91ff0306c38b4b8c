import BillfoldJSON
import Crypto
import PaymentCrypto

/// What a package says of itself: which mini program and version, and the hash of every file. The signature covers these bytes.
///
/// Its bytes have one form only: compact JSON, members in the order below, files in the order of their paths' bytes. Other bytes that would
/// mean the same are refused, so that nothing stands in a signed manifest that one reader sees and another does not.
public struct PackageManifest: Sendable, Hashable {
    /// What the package holds at one path.
    public struct File: Sendable, Hashable {
        public var path: String
        public var size: Int
        /// In lower-case hexadecimal.
        public var sha256: String
    }

    /// Where it lies in a package.
    public static let path = "manifest.json"
    /// The only format so far.
    public static let format: Int64 = 1

    public var appID: String
    public var version: MiniProgramVersion
    /// The oldest container that can run it: three numbers.
    public var minimumContainer: MiniProgramVersion
    /// Sorted by their paths' bytes.
    public private(set) var files: [File]

    /// Lists files with their hashes. `unsafe-path`, `duplicate-entry`, `too-large`; `malformed-field` for an app id that is none.
    public init(
        appID: String, version: MiniProgramVersion, minimumContainer: MiniProgramVersion = .init(1, 0, 0), files: [String: [UInt8]],
        limits: PackageLimits = PackageLimits()
    ) throws(MiniProgramError) {
        guard Self.isAppID(appID) else {
            throw MiniProgramError(code: .malformedField, reason: "appId is not 1 to 32 letters, digits, - and _")
        }
        try limits.check(files.map { PackageEntry(path: $0.key, size: $0.value.count) })
        for path in [Self.path, PackageSignature.path] where files[path] != nil {
            throw MiniProgramError(code: .unsafePath, reason: "\(path) is the package's own")
        }
        self.appID = appID
        self.version = version
        self.minimumContainer = minimumContainer
        self.files = files.map { File(path: $0.key, size: $0.value.count, sha256: Self.hash($0.value)) }.sorted(by: Self.isBefore)
    }

    /// Reads a manifest. `malformed-manifest` for everything but its one form.
    public init(_ bytes: [UInt8]) throws(MiniProgramError) {
        func malformed(_ reason: String) -> MiniProgramError { MiniProgramError(code: .malformedManifest, reason: reason) }
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 4 << 20)
        } catch {
            throw malformed("the manifest is not strict JSON: \(error.code)")
        }
        guard object["format"]?.integer == Self.format else { throw malformed("the manifest's format is not \(Self.format)") }
        guard let appID = object["appId"]?.string, Self.isAppID(appID) else { throw malformed("the manifest names no mini program") }
        guard let version = object["version"]?.string.flatMap(MiniProgramVersion.init(text:)),
            let container = object["minimumContainer"]?.string.flatMap(MiniProgramVersion.init(text:))
        else { throw malformed("the manifest has no version") }
        var files: [File] = []
        for value in object["files"]?.array ?? [] {
            guard let path = value["path"]?.string, let size = value["size"]?.integer, size >= 0, let hash = value["sha256"]?.string else {
                throw malformed("the manifest lists a file without path, size and hash")
            }
            files.append(File(path: path, size: Int(size), sha256: hash))
        }
        self.appID = appID
        self.version = version
        minimumContainer = container
        self.files = files
        guard self.bytes == bytes else { throw malformed("the manifest is not in its one form") }
        for (file, next) in zip(files, files.dropFirst()) where !Self.isBefore(file, next) {
            throw malformed("the manifest's files are not in their order")
        }
    }

    /// The manifest's one form.
    public var bytes: [UInt8] {
        JSONWriter.write(
            JSONObject([
                .init("format", .number(String(Self.format))), .init("appId", .string(appID)),
                .init("version", .string(version.description)),
                .init("minimumContainer", .string(minimumContainer.description)),
                .init(
                    "files",
                    .array(
                        files.map { file in
                            .object(
                                JSONObject([
                                    .init("path", .string(file.path)), .init("size", .number(String(file.size))),
                                    .init("sha256", .string(file.sha256)),
                                ]))
                        })),
            ]))
    }

    /// Compares files with what is listed. `missing-file`, `unlisted-file`, `hash-mismatch`.
    package func check(_ contents: [String: [UInt8]]) throws(MiniProgramError) {
        var left = contents
        for file in files {
            guard let bytes = left.removeValue(forKey: file.path) else {
                throw MiniProgramError(code: .missingFile, reason: "\(MiniProgramError.quoted(file.path)) is listed and not there")
            }
            guard bytes.count == file.size, Self.hash(bytes) == file.sha256 else {
                throw MiniProgramError(code: .hashMismatch, reason: "\(MiniProgramError.quoted(file.path)) is not the file that was packed")
            }
        }
        if let extra = left.keys.min() {
            throw MiniProgramError(code: .unlistedFile, reason: "\(MiniProgramError.quoted(extra)) is there and not listed")
        }
    }

    private static func isBefore(_ left: File, _ right: File) -> Bool { left.path.utf8.lexicographicallyPrecedes(right.path.utf8) }

    private static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.encode(Array(SHA256.hash(data: bytes))) }

    /// Whether a text can be a mini program's id: 1 to 32 letters, digits, `-` and `_`.
    public static func isAppID(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x5f
            }
    }
}
