import BillfoldTestSupport
import CodeReader
import Foundation
import Testing
import WalletAPI

/// Photographs that people took of bar codes: worn book covers, a creased sheet of paper, by lamp light.
///
/// They come from other projects and stay outside: `scripts/install-photographs` puts them into `.build/photographs`, or
/// `BILLFOLD_PHOTOGRAPHS` names their folder.
struct PhotographTests {
    private static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["BILLFOLD_PHOTOGRAPHS"] ?? ".build/photographs"
        if FileManager.default.fileExists(atPath: "\(named)/paper.jpg") { return URL(filePath: named) }
        Vectors.announceSkip("no photographs: run scripts/install-photographs, or set BILLFOLD_PHOTOGRAPHS to their folder")
        return nil
    }()

    private func codes(of name: String) throws -> [DecodedCode]? {
        try Self.folder.map { folder in
            let bytes = try Data(contentsOf: folder.appending(path: name))
            return try PictureCodeReader().codes(in: CodePicture(bytes: Array(bytes), origin: .album))
        }
    }

    @Test(arguments: [("book-stained.jpg", "9780070660489"), ("book-dim.jpg", "9780071244763")])
    func aBookIsKnownByItsCover(name: String, number: String) throws {
        guard let found = try codes(of: name) else { return }
        #expect(found == [DecodedCode(text: number, type: .barCode)])
    }

    @Test func sevenCodesOnOneSheetAreAllRead() throws {
        guard let found = try codes(of: "paper.jpg") else { return }
        let numbers = [
            "201541332768", "201541332863", "201541350294", "201541368446", "201541371885", "201541393029", "201541395223",
        ]
        #expect(found.map(\.text).sorted() == numbers)
        #expect(found.allSatisfy { $0.type == .barCode })
    }

    @Test func nothingIsReadFromADog() throws {
        guard let found = try codes(of: "dog.jpg") else { return }
        #expect(found.isEmpty)
    }
}
