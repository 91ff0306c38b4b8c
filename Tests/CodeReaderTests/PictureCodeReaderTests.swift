import BillfoldWeb
import CodeReader
import Synchronization
import Testing
import WalletAPI

/// Codes are found in pictures as cameras and albums give them; what is no picture, or too large to be tried, is refused by its code.
struct PictureCodeReaderTests {
    private let reader = PictureCodeReader()

    private func read(_ picture: Picture, reader: PictureCodeReader = PictureCodeReader()) throws -> [DecodedCode] {
        try reader.codes(in: CodePicture(bytes: picture.pnm, origin: .album))
    }

    private func refusal(_ bytes: [UInt8], reader: PictureCodeReader = PictureCodeReader()) -> CodeReaderError.Code? {
        do {
            _ = try reader.codes(in: CodePicture(bytes: bytes, origin: .album))
            return nil
        } catch { return error.code }
    }

    @Test(arguments: [1, 3, 8])
    func aQRCodeIsReadAtEverySize(scale: Int) throws {
        let text = "https://mp.wallet.example/mp/2026112200000001?p=a%2Fb&n=茶"
        #expect(try read(Picture(try QRCode(text), scale: scale)) == [DecodedCode(text: text, type: .qrCode)])
    }

    @Test func aBarCodeIsRead() throws {
        #expect(try read(Picture(ean13: "4006381333931")) == [DecodedCode(text: "4006381333931", type: .barCode)])
    }

    /// The library under it ended the process where it saw a bar code twice: beside itself, or in a picture that it looks at in two sizes.
    @Test(arguments: [1, 2, 5])
    func aBarCodeThatIsSeenTwiceIsToldOnce(factor: Int) throws {
        let label = try Picture(ean13: "4006381333931").enlarged(by: factor)
        #expect(try read(label.beside(label)) == [DecodedCode(text: "4006381333931", type: .barCode)])
        #expect(try read(label.beside(label).turned(by: 90)) == [DecodedCode(text: "4006381333931", type: .barCode)])
    }

    @Test(arguments: [7.0, 45, 90, 200])
    func aPhotographIsTurnedGreyAndNoisy(degrees: Double) throws {
        let turned = Picture(try QRCode("billfoldwallet://pay"), scale: 6).turned(by: degrees).noisy(seed: 4, by: 60)
        #expect(try read(turned) == [DecodedCode(text: "billfoldwallet://pay", type: .qrCode)])
        let bars = try Picture(ean13: "5901234123457").turned(by: degrees == 45 ? 4 : degrees).noisy(seed: 5, by: 40)
        #expect(try read(bars) == [DecodedCode(text: "5901234123457", type: .barCode)])
    }

    @Test func allCodesOfAPictureAreFound() throws {
        let both = try Picture(QRCode("one"), scale: 5).beside(Picture(ean13: "4006381333931"))
        #expect(Set(try read(both)) == [DecodedCode(text: "one", type: .qrCode), DecodedCode(text: "4006381333931", type: .barCode)])
    }

    @Test func aLargePictureIsReadAtASmallerSize() throws {
        let large = Picture(try QRCode("large"), scale: 80)
        #expect(large.width * large.height > 5_000_000)
        #expect(try read(large) == [DecodedCode(text: "large", type: .qrCode)])
    }

    @Test func aPictureWithoutACodeIsNoError() throws {
        #expect(try read(Picture(width: 300, height: 200)).isEmpty)
        #expect(try read(Picture(width: 300, height: 200).noisy(seed: 1, by: 255)).isEmpty)
    }

    @Test func whatIsNoPictureIsRefused() {
        for bytes: [UInt8] in [
            [], Array("<svg".utf8), Array("P6\n".utf8), [UInt8](repeating: 0, count: 5_000), Array("\u{89}PNG\r\n".utf8),
        ] {
            #expect(refusal(bytes) == .noPicture, "\(bytes.prefix(8))")
        }
    }

    @Test func aHundredMegapixelsAreNotUnpacked() throws {
        // The head alone says how large it is; the rest never comes.
        #expect(refusal(Array("P6\n10000 10000\n255\n".utf8) + [UInt8](repeating: 200, count: 70_000)) == .tooLarge)
        // A PNG of 65,500 by 65,500 that has 60 bytes.
        let head: [UInt8] = [
            0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xff, 0xdc, 0, 0, 0xff, 0xdc, 8, 2,
            0, 0,
            0,
        ]
        #expect(refusal(head + CRC32.of(head[12...]) + [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xaf, 0x06, 0x1e]) == .tooLarge)
        #expect(refusal([UInt8](repeating: 1, count: 101), reader: PictureCodeReader(maximumBytes: 100)) == .tooLarge)
    }

    /// Any size that random bytes name is refused before it is unpacked: a format that is guessed would take gigabytes.
    @Test func randomBytesNeverDoHarm() {
        var generator = Noise(seed: 9)
        let starts: [[UInt8]] = [
            Array("P6\n40 40\n255\n".utf8), Array("GIF89a".utf8), [0xff, 0xd8, 0xff, 0xe0], [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10], [],
        ]
        for start in starts {
            for _ in 0..<40 {
                let found = refusal(start + (0..<500).map { _ in generator.byte() }, reader: PictureCodeReader(maximumPixels: 250_000))
                #expect(found == nil || found == .noPicture || found == .tooLarge)
            }
        }
    }

    /// The scanner over this reader: what a super app registers as its CodeService.
    @Test func theScannerReadsFromTheCameraUntilThereIsACode() async throws {
        let pictures = [
            Picture(width: 64, height: 64), try Picture(ean13: "4006381333931"),
        ].map { CodePicture(bytes: $0.pnm, origin: .camera) }
        let service = DecodingCodeService(source: Pictures(pictures), decoder: reader)
        let result = await service.scan(with: IAPWalletScannerOption(type: .qrCode))
        #expect(result.code == "4006381333931" && result.codeType == .barCode)
        let nothing = DecodingCodeService(source: Pictures([CodePicture(bytes: [1, 2], origin: .album)]), decoder: reader)
        #expect(await nothing.scan(with: IAPWalletScannerOption()).failure?.code == .unknownError)
    }
}

private final class Pictures: CodePictureSource {
    private let rest: Mutex<[CodePicture]>
    init(_ pictures: [CodePicture]) { rest = Mutex(pictures) }
    func nextPicture(albumAllowed: Bool) async -> CodePicture? { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
