package import Foundation
import Mustache

/// The pages of one target: the templates and the files that pages load, from the target's own bundle, read once.
///
/// A template is named by its path below `Resources` without the ending, for example `console/home`, and may use those of ``common``.
/// Every value is escaped. No template may switch that off: the pages' tests refuse the unescaped forms.
package struct PageSet: Sendable {
    /// The frame around every page, and the console's own pages.
    package static let common = PageSet(files: read(.module))

    /// The set's own files, without those of ``common``: path below `Resources` to bytes.
    private let files: Result<[String: [UInt8]], WebError>
    private let library: Result<MustacheLibrary, WebError>

    /// - Parameter bundle: The target's own, `.module`, with a folder `Resources`.
    package init(_ bundle: Bundle) { self.init(files: Self.read(bundle), beside: [.common]) }

    /// The templates and files of several sets, and of ``common``.
    package init(_ sets: [PageSet]) { self.init(files: .success([:]), beside: [.common] + sets) }

    private init(files: Result<[String: [UInt8]], WebError>, beside others: [PageSet] = []) {
        self.files = files
        library = Self.library(others.map(\.files) + [files])
    }

    /// Renders a template with the stored properties of a value: text, numbers, `Bool`, arrays, and values with such properties.
    ///
    /// A section is drawn for `true`, for each item of an array, and once for any other value that is there. What is `nil` is not drawn;
    /// `{{#empty(rows)}}` is drawn for an array without an item.
    package func render(_ template: String, _ model: some Sendable) throws(WebError) -> String { try draw(template, [model]) }

    /// Draws a template with several values; later ones have the names that earlier ones lack.
    func draw(_ template: String, _ values: [Any]) throws(WebError) -> String {
        guard let page = try library.get().render(Drawn(page: values), withTemplate: template) else {
            throw WebError(code: .templateUnknown, reason: "no template is named \(template)")
        }
        return page
    }

    /// What pages of the set load, without what ``common`` has: the path below `/assets/`, for example `console/story.js`, to the file.
    package var assets: [String: WebAsset] {
        get throws(WebError) {
            var assets: [String: WebAsset] = [:]
            for (path, bytes) in try files.get() { assets[path] = WebAsset(path: path, bytes: bytes) }
            return assets
        }
    }

    /// The set's own files, and some of ``common``.
    ///
    /// - Parameter shared: Paths below `/assets/`.
    package func assets(with shared: Set<String>) throws(WebError) -> [String: WebAsset] {
        try assets.merging(Self.common.assets.filter { shared.contains($0.key) }) { own, _ in own }
    }

    private static func library(_ files: [Result<[String: [UInt8]], WebError>]) -> Result<MustacheLibrary, WebError> {
        MustacheContentTypes.register(ScalarEscaping(), named: ScalarEscaping.name)
        do throws(WebError) {
            var library = MustacheLibrary()
            for set in files {
                for (path, bytes) in try set.get() where path.hasSuffix(".mustache") {
                    let text = "{{% CONTENT_TYPE:\(ScalarEscaping.name)}}" + String(decoding: bytes, as: UTF8.self)
                    do {
                        try library.register(text, named: String(path.dropLast(".mustache".count)))
                    } catch {
                        throw WebError(code: .templateMalformed, reason: "\(path): \(error)")
                    }
                }
            }
            return .success(library)
        } catch {
            return .failure(error)
        }
    }

    private static func read(_ bundle: Bundle) -> Result<[String: [UInt8]], WebError> {
        // `resourceURL` already ends in `Resources` or does not, depending on the platform's kind of bundle.
        let folder = bundle.bundleURL.appendingPathComponent("Resources")
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else {
            return .failure(WebError(code: .resourcesMissing, reason: "the folder of pages is missing: \(folder.path)"))
        }
        var files: [String: [UInt8]] = [:]
        for case let path as String in walk {
            let address = folder.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: address.path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
            guard let data = FileManager.default.contents(atPath: address.path) else {
                return .failure(WebError(code: .resourcesMissing, reason: "\(path) cannot be read"))
            }
            files[path] = Array(data)
        }
        return .success(files)
    }
}
