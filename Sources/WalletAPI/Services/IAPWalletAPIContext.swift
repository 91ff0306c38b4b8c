public import Foundation

/// From which workspace a mini program was published (mini-programs.md#steps, step 3, and mini-programs.md#oauthservice).
#if canImport(ObjectiveC)
    @objc
#endif
public enum IAPWalletOAuthCodeFlowType: Int, Sendable, CaseIterable {
    /// Not a mini program.
    case standard
    /// Published from an Alipay Connect workspace, and offered to several wallets [D].
    case alipayConnect
    /// Published in the super app's own workspace only [D].
    case localMiniProgram

    /// The documents' other name, such as `LOCAL_MINI_PROGRAM`.
    public var name: String {
        switch self {
        case .standard: "STANDARD"
        case .alipayConnect: "ALIPAY_CONNECT"
        case .localMiniProgram: "LOCAL_MINI_PROGRAM"
        }
    }
}

/// Which mini program asks, filled by the container from the running instance and never from what its script says.
///
/// The document says that it carries the runtime's metadata and not which [D]; the members are ours [I].
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletAPIContext: NSObject, Sendable {
    /// The platform's id of the mini program.
    public let appId: String
    /// As people know it: a page that asks something on its behalf shows it.
    public let appName: String
    /// The page that called, without its query; empty outside of pages.
    public let page: String
    /// `1.0.1.<time stamp>`; empty where it runs from a folder.
    public let version: String
    public let workspace: IAPWalletOAuthCodeFlowType
    public let extendedInfo: [String: String]

    public init(
        appId: String, appName: String = "", page: String = "", version: String = "",
        workspace: IAPWalletOAuthCodeFlowType = .localMiniProgram, extendedInfo: [String: String] = [:]
    ) {
        self.appId = appId
        self.appName = appName
        self.page = page
        self.version = version
        self.workspace = workspace
        self.extendedInfo = extendedInfo
    }

    public override var description: String { "\(appId) \(page)" }
}
