import CodeReader
import Testing
import WalletAPI

struct CodeReaderExample {
    // Example
    /// The codes in a picture that a stranger sent.
    func texts(in upload: [UInt8]) throws -> [String] {
        let picture = CodePicture(bytes: upload, origin: .album)
        return try PictureCodeReader().codes(in: picture).map(\.text)
    }

    /// A super app's scanner over the pictures of a camera.
    func scanner(over camera: any CodePictureSource) -> IAPWalletCodeServiceSignature {
        DecodingCodeService(source: camera, decoder: PictureCodeReader())
    }
    // End

    private struct Camera: CodePictureSource {
        let picture: CodePicture

        func nextPicture(albumAllowed: Bool) async -> CodePicture? { picture }
    }

    @Test func example() async throws {
        let picture = try CodePictures.qrCode("https://shop.example/1")
        #expect(try texts(in: picture) == ["https://shop.example/1"])
        #expect(throws: CodeReaderError.self) { try texts(in: Array("no picture".utf8)) }
        let camera = Camera(picture: CodePicture(bytes: picture, origin: .camera))
        let result = await scanner(over: camera).scan(with: IAPWalletScannerOption())
        #expect(result.code == "https://shop.example/1")
    }
}
