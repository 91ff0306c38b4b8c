/// A picture with perhaps a code in it.
public struct CodePicture: Sendable, Hashable {
    /// Where the picture is from.
    public enum Origin: String, Sendable, Hashable {
        case camera
        case album
    }

    /// An encoded image, as the camera or the album gave it.
    public var bytes: [UInt8]
    public var origin: Origin

    public init(bytes: [UInt8], origin: Origin) {
        self.bytes = bytes
        self.origin = origin
    }
}

/// A code that was read.
public struct DecodedCode: Sendable, Hashable {
    public var text: String
    public var type: IAPWalletCodeType

    public init(text: String, type: IAPWalletCodeType) {
        self.text = text
        self.type = type
    }
}

/// Where a scanner's pictures come from: a camera that gives many, an album that gives one.
public protocol CodePictureSource: Sendable {
    /// The next picture; nil when the person left. `albumAllowed` is false where the script hid the album.
    func nextPicture(albumAllowed: Bool) async -> CodePicture?
}

/// Finds codes in a picture.
public protocol CodeDecoding: Sendable {
    /// The codes found, best first; none is no error. Throws for a picture that cannot be read, or is too large to be tried.
    func codes(in picture: CodePicture) throws -> [DecodedCode]
}

/// A CodeService over a source of pictures and a decoder.
///
/// Camera pictures without a code are passed over until the person leaves; an album's picture is the person's only answer, and nothing in
/// it is error 1000 (mini-programs.md#codeservice, step 10). A code of the kind that was asked for is preferred, and another is taken: the
/// document says that the result says what was read.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
public final class DecodingCodeService: IAPWalletCodeServiceSignature, @unchecked Sendable {
    private let source: any CodePictureSource
    private let decoder: any CodeDecoding

    public init(source: any CodePictureSource, decoder: any CodeDecoding) {
        self.source = source
        self.decoder = decoder
        super.init()
    }

    public override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        Task { callback(await scanned(option)) }
    }

    private func scanned(_ option: IAPWalletScannerOption) async -> IAPWalletScannerResult {
        while let picture = await source.nextPicture(albumAllowed: !option.hideAlbum) {
            // A source that offers the album all the same is not obeyed.
            guard picture.origin == .camera || !option.hideAlbum else {
                return IAPWalletScannerResult().failing(.appServiceError, "the album was hidden, and a picture of it came")
            }
            let found = (try? decoder.codes(in: picture)) ?? []
            if let code = found.first(where: { $0.type == option.type }) ?? found.first {
                let result = IAPWalletScannerResult(code: code.text)
                result.codeType = code.type
                return result
            }
            if picture.origin == .album { return IAPWalletScannerResult().failing(.unknownError, "no code was found in the picture") }
        }
        return IAPWalletScannerResult().failing(.userCancel, "the person left the scanner")
    }
}
