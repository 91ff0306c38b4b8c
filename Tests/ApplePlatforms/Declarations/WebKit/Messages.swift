// The framework hands it on.
@_exported public import Foundation

/// <https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime>
@available(iOS 8, *)
public enum WKUserScriptInjectionTime: Int, Sendable {
    /// <https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime/atdocumentstart>
    @available(iOS 8, *)
    case atDocumentStart
}

/// <https://developer.apple.com/documentation/webkit/wkuserscript>
@MainActor
@available(iOS 8, *)
open class WKUserScript: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkuserscript/init(source:injectiontime:formainframeonly:)>
    @available(iOS 8, *)
    public init(source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool) { super.init() }
}

/// <https://developer.apple.com/documentation/webkit/wkcontentworld>
@MainActor
@available(iOS 14, *)
open class WKContentWorld: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkcontentworld/page>
    @available(iOS 14, *)
    open class var page: WKContentWorld { WKContentWorld() }
}

/// <https://developer.apple.com/documentation/webkit/wksecurityorigin>
@MainActor
@available(iOS 9, *)
open class WKSecurityOrigin: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wksecurityorigin/protocol>
    @available(iOS 9, *)
    open var `protocol`: String { "" }
    /// <https://developer.apple.com/documentation/webkit/wksecurityorigin/host>
    @available(iOS 9, *)
    open var host: String { "" }
    /// <https://developer.apple.com/documentation/webkit/wksecurityorigin/port>
    @available(iOS 9, *)
    open var port: Int { 0 }
}

/// <https://developer.apple.com/documentation/webkit/wkframeinfo>
@MainActor
@available(iOS 8, *)
open class WKFrameInfo: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkframeinfo/ismainframe>
    @available(iOS 8, *)
    open var isMainFrame: Bool { false }
    /// <https://developer.apple.com/documentation/webkit/wkframeinfo/securityorigin>
    @available(iOS 9, *)
    open var securityOrigin: WKSecurityOrigin { WKSecurityOrigin() }
}

/// <https://developer.apple.com/documentation/webkit/wkscriptmessage>
@MainActor
@available(iOS 8, *)
open class WKScriptMessage: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkscriptmessage/body>
    @available(iOS 8, *)
    open var body: Any { "" }
    /// <https://developer.apple.com/documentation/webkit/wkscriptmessage/frameinfo>
    @available(iOS 8, *)
    open var frameInfo: WKFrameInfo { WKFrameInfo() }
}

/// <https://developer.apple.com/documentation/webkit/wkscriptmessagehandler>
@MainActor
@available(iOS 8, *)
public protocol WKScriptMessageHandler: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/webkit/wkscriptmessagehandler/usercontentcontroller(_:didreceive:)>
    @available(iOS 8, *)
    func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

/// <https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply>
@MainActor
@available(iOS 14, *)
public protocol WKScriptMessageHandlerWithReply: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply/usercontentcontroller(_:didreceive:)>
    @available(iOS 14, *)
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage
    ) async -> (Any?, String?)
}

/// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller>
@MainActor
@available(iOS 8, *)
open class WKUserContentController: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller/adduserscript(_:)>
    @available(iOS 8, *)
    open func addUserScript(_ userScript: WKUserScript) {}
    /// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller/add(_:name:)>
    @available(iOS 8, *)
    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {}
    /// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller/addscriptmessagehandler(_:contentworld:name:)>
    @available(iOS 14, *)
    open func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
    ) {}
    /// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removeallscriptmessagehandlers()>
    @available(iOS 14, *)
    open func removeAllScriptMessageHandlers() {}
}
