import ApplePayApp
import Foundation

/// A card that was being added, and where it was before. Written before the wallet's screen comes up and removed once it is certain what
/// became of the card: whoever finds it at the start of the app looks into the wallet.
struct KeptAddition: Codable, Equatable {
    var customer: String
    var card: String
    var suffix: String
    /// Those of the devices that held the card already.
    var heldBefore: Set<PassHolder>
}

/// The file of the addition that is under way.
struct AdditionFile {
    private let file: URL

    init(in folder: URL) { file = folder.appendingPathComponent("card-addition") }

    func read() -> KeptAddition? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(KeptAddition.self, from: $0) }
    }

    func write(_ addition: KeptAddition?) {
        let files = FileManager.default
        guard let addition, let bytes = try? JSONEncoder().encode(addition) else {
            try? files.removeItem(at: file)
            return
        }
        try? files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? bytes.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
    }
}
