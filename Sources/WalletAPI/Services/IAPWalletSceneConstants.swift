/// The documented scenes as constants of the deep-link service's base class (mini-programs.md#deeplinkservice [D]).
///
/// Samples read them from the base class and declare them again in the subclass: see ``IAPWalletErrorTexts``. Each is there on the type and
/// on an instance, so that the bare name works in a method too.
public protocol IAPWalletSceneConstants {}

extension IAPWalletSceneConstants {
    /// A web page, by the required parameter `url`.
    public static var SCENE_WEB_PAGE: String { WalletScene.webPage.rawValue }
    /// The scanner; no parameters.
    public static var SCENE_SCAN: String { WalletScene.scan.rawValue }
    /// The pay code.
    public static var SCENE_QR_PAY: String { WalletScene.qrPay.rawValue }
    /// Binding a bank card.
    public static var SCENE_BIND_CARD: String { WalletScene.bindCard.rawValue }
    /// Topping the balance up.
    public static var SCENE_TOP_UP: String { WalletScene.topUp.rawValue }
    /// A deep link of the super app itself.
    public static var SCENE_DEEPLINK_SCHEME: String { WalletScene.scheme.rawValue }
    /// A code. The prose names the scene and prints no constant: named here as its siblings [I].
    public static var SCENE_QR_CODE: String { WalletScene.qrCode.rawValue }

    /// As on the type.
    public var SCENE_WEB_PAGE: String { WalletScene.webPage.rawValue }
    /// As on the type.
    public var SCENE_SCAN: String { WalletScene.scan.rawValue }
    /// As on the type.
    public var SCENE_QR_PAY: String { WalletScene.qrPay.rawValue }
    /// As on the type.
    public var SCENE_BIND_CARD: String { WalletScene.bindCard.rawValue }
    /// As on the type.
    public var SCENE_TOP_UP: String { WalletScene.topUp.rawValue }
    /// As on the type.
    public var SCENE_DEEPLINK_SCHEME: String { WalletScene.scheme.rawValue }
    /// As on the type.
    public var SCENE_QR_CODE: String { WalletScene.qrCode.rawValue }
}
