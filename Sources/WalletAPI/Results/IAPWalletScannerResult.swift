import BillfoldConcurrency
public import Foundation

/// The kinds of codes that a scanner may be asked for (mini-programs.md#codeservice [D]).
#if canImport(ObjectiveC)
    @objc
#endif
public enum IAPWalletCodeType: Int, Sendable, CaseIterable {
    case qrCode
    case barCode
}

/// How to scan (mini-programs.md#codeservice [D]).
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletScannerOption: NSObject, Sendable {
    public let type: IAPWalletCodeType
    /// Whether the person must use the camera: pictures of the album are not offered.
    public let hideAlbum: Bool
    /// For later use [D].
    public let extendedInfo: [String: String]

    public init(type: IAPWalletCodeType = .qrCode, hideAlbum: Bool = false, extendedInfo: [String: String] = [:]) {
        self.type = type
        self.hideAlbum = hideAlbum
        self.extendedInfo = extendedInfo
    }
}

/// What was scanned. Leaving the scanner is error 1001, a picture without a code error 1000 (mini-programs.md#codeservice, steps 6 and 10).
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletScannerResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private let answer = Locked<(code: String?, type: IAPWalletCodeType?)>((nil, nil))

    /// Makes a result that the service fills afterwards.
    public override init() { super.init() }

    /// Makes a result with the text of the code.
    public convenience init(code: String?) {
        self.init()
        self.code = code
    }

    /// Makes a result with the text of the code, without a label.
    public convenience init(_ code: String?) { self.init(code: code) }

    /// The text of the code; nil on an error.
    public var code: String? {
        get { answer.withLock { $0.code } }
        set { answer.withLock { $0.code = newValue } }
    }

    /// What was read, where the scanner says so: it may be another kind than was asked for. Not a documented member [I].
    @nonobjc public var codeType: IAPWalletCodeType? {
        get { answer.withLock { $0.type } }
        set { answer.withLock { $0.type = newValue } }
    }
}
