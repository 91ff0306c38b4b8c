import Foundation

/// The package's own files, read once: path below `Resources` to bytes.
enum WebResources {
    static let files: Result<[String: [UInt8]], WebError> = read()

    private static func read() -> Result<[String: [UInt8]], WebError> {
        // `resourceURL` already ends in `Resources` or does not, depending on the platform's kind of bundle.
        let folder = Bundle.module.bundleURL.appendingPathComponent("Resources")
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else {
            return .failure(WebError(code: .resourcesMissing, reason: "the folder of pages is missing"))
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
