public import Foundation

/// Opens pages of the super app: the service behind `my.navigateToBizScene`, and jumps between apps (mini-programs.md#deeplinkservice [D]).
/// A super app subclasses it.
///
/// Called and answered as ``IAPWalletOAuthServiceSignature`` says.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked because it can be subclassed: it holds nothing, and a subclass that restates it promises the same of what it holds.
open class IAPWalletDeeplinkServiceSignature: NSObject, IAPWalletErrorConstants, IAPWalletSceneConstants, @unchecked Sendable {
    /// Makes a service. A subclass with members of its own calls it after it has set them.
    public override init() { super.init() }

    /// Opens an address (RFC 2396). Mandatory.
    /// - Returns: True only if something was really opened.
    @MainActor
    @preconcurrency
    open func open(scheme: URL, in context: IAPWalletAPIContext? = nil) -> Bool { false }

    /// Opens one of the super app's pages by its scene. Mandatory. What it answers lies in the result's `extendedInfo`.
    ///
    /// A scene that is not known must be answered too, with an error. The published samples forget that.
    @MainActor
    @preconcurrency
    open func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        callback(
            IAPWalletBaseServiceResult().failing(
                .appServiceError, "scene \(WalletScene.shown(bizSceneCode)): \(unimplemented("open(bizSceneCode:)"))"))
    }
}

/// The documented scene codes (mini-programs.md#deeplinkservice).
public let SCENE_WEB_PAGE = WalletScene.webPage.rawValue
/// Scans a code; no parameters [D].
public let SCENE_SCAN = WalletScene.scan.rawValue
/// Shows the pay code.
public let SCENE_QR_PAY = WalletScene.qrPay.rawValue
/// Binds a bank card.
public let SCENE_BIND_CARD = WalletScene.bindCard.rawValue
/// Tops the balance up.
public let SCENE_TOP_UP = WalletScene.topUp.rawValue
/// Opens a deep link of the super app itself.
public let SCENE_DEEPLINK_SCHEME = WalletScene.scheme.rawValue
/// Shows or reads a code: named in the prose as an example, without a constant [D]; the constant is ours [I].
public let SCENE_QR_CODE = WalletScene.qrCode.rawValue

/// The documented scenes. A super app may have more of its own.
public enum WalletScene: String, Sendable, CaseIterable {
    /// A web page, by the required parameter `url` [D].
    case webPage = "WEB_PAGE"
    /// The scanner; no parameters [D].
    case scan = "SCAN"
    /// The pay code.
    case qrPay = "QR_PAY"
    case bindCard = "BIND_CARD"
    case topUp = "TOP_UP"
    /// A deep link of the super app itself. Its parameter is not public: `url` is used, and `scheme` is taken too [I].
    case scheme = "SCHEME"
    /// Named once in the prose, without a constant [D].
    case qrCode = "QR_CODE"

    /// Whether a mini program's text decides what is opened. Such scenes need an allow-list of addresses.
    public var takesAddress: Bool { self == .webPage || self == .scheme }

    /// A scene's name, short enough for a log line and with anything that is not printable ASCII replaced.
    static func shown(_ name: String) -> String {
        let text = name.unicodeScalars.prefix(40).map { (0x21...0x7e).contains($0.value) ? String($0) : "?" }.joined()
        return "\"\(text)\""
    }
}
