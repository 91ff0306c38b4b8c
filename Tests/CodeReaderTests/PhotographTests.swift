import BillfoldTestSupport
import CodeReader
import Foundation
import Testing
import WalletAPI

/// Photographs that people took of codes: on cards, notices, worn book covers, plastic bags and a creased sheet of paper, by lamp light.
///
/// They come from other projects and stay outside: `scripts/install-photographs` puts them into `.build/photographs`, or
/// `BILLFOLD_PHOTOGRAPHS` names their folder.
struct PhotographTests {
    private static let folder = URL(filePath: ProcessInfo.processInfo.environment["BILLFOLD_PHOTOGRAPHS"] ?? ".build/photographs")

    /// `nil`: the picture is not there, which is announced.
    private func codes(of name: String) throws -> [DecodedCode]? {
        let file = Self.folder.appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path) else {
            Vectors.announceSkip("no photograph \(name): run scripts/install-photographs, or set BILLFOLD_PHOTOGRAPHS to its folder")
            return nil
        }
        return try PictureCodeReader().codes(in: CodePicture(bytes: Array(Data(contentsOf: file)), origin: .album))
    }

    @Test func aCardIsRead() throws {
        guard let found = try codes(of: "card.jpg") else { return }
        #expect(found == [DecodedCode(text: "MECARD:N:Google 411,;TEL:18665881077;;", type: .qrCode)])
    }

    @Test func aNoticeOfTwoLinesIsRead() throws {
        guard let found = try codes(of: "notice.jpg") else { return }
        #expect(found.map(\.type) == [.qrCode])
        #expect(found.first?.text.hasPrefix("UI office hours signup\r\nhttp://") == true)
    }

    /// From afar, from near with a thumb, turned by some degrees, and on a wide picture. Whose card it is is not repeated here.
    @Test func fourPhotographsOfOneCardGiveOneText() throws {
        let names = ["other-card-far.jpg", "other-card-near.jpg", "other-card-turned.jpg", "other-card-wide.png"]
        let found = try names.compactMap { try codes(of: $0) }
        guard found.count == names.count else { return }
        #expect(found.allSatisfy { $0.count == 1 && $0[0].type == .qrCode })
        let texts = Set(found.joined().map(\.text))
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("MECARD:N:") == true && texts.first?.hasSuffix(";;") == true)
    }

    @Test(arguments: [
        ("bag.jpg", "890444000335"), ("bag-bent.jpg", "890444000335"), ("bag-creased.jpg", "854818000116"), ("label.png", "073333531084"),
        ("book-second-code.png", "9780201310054"),
    ])
    func aPackageIsKnownByItsNumber(name: String, number: String) throws {
        guard let found = try codes(of: name) else { return }
        #expect(found == [DecodedCode(text: number, type: .barCode)])
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

    @Test(arguments: ["dog.jpg", "cloth.png", "grille.png", "lights.png"]) func nothingIsReadWhereNoCodeIs(name: String) throws {
        guard let found = try codes(of: name) else { return }
        #expect(found.isEmpty)
    }
}
