import BillfoldConcurrency
public import Foundation

/// Account authorisation, which is no payment: the names are there so that an app with both compiles, and every call is refused.
extension AlipaySDK {
    /// Ends with 4000 and a memo that says why, and sends nothing.
    #if canImport(ObjectiveC)
        @objc(auth_V2WithInfo:fromScheme:callback:)
    #endif
    public func auth_V2(withInfo infoStr: String!, fromScheme schemeStr: String!, callback completionBlock: CompletionBlock!) {
        refuseAuthorization(completionBlock)
    }

    /// Leaves the URL alone and never calls the block: no authorisation was begun. Apps hand each URL to this call and to
    /// ``processOrder(withPaymentResult:standbyCallback:)`` [O], which takes it.
    #if canImport(ObjectiveC)
        @objc(processAuth_V2Result:standbyCallback:)
    #endif
    public func processAuth_V2Result(_ resultUrl: URL!, standbyCallback completionBlock: CompletionBlock!) {}

    /// As ``auth_V2(withInfo:fromScheme:callback:)``, for the first form of it.
    #if canImport(ObjectiveC)
        @objc(authWithInfo:callback:)
    #endif
    public func auth(with authInfo: APayAuthInfo!, callback completionBlock: CompletionBlock!) { refuseAuthorization(completionBlock) }

    /// As ``processAuth_V2Result(_:standbyCallback:)``.
    #if canImport(ObjectiveC)
        @objc(processAuthResult:standbyCallback:)
    #endif
    public func processAuthResult(_ resultUrl: URL!, standbyCallback completionBlock: CompletionBlock!) {}

    private func refuseAuthorization(_ block: CompletionBlock?) {
        let told = HandedOver(block)
        Task { @MainActor in
            let status = "4000"
            told.value?([
                "resultStatus": status, "ResultStatus": status, "result": "", "memo": "account authorisation is not given by this client",
            ])
        }
    }
}

/// What the first form of account authorisation is asked with.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class APayAuthInfo: NSObject {
    /// The application's id.
    public var appID: String!
    /// The merchant's id; may be left out.
    public var pid: String!
    /// Where the wallet comes back to, such as `shop://auth`.
    public var redirectUri: String!

    public init(appID appIDStr: String!, pid pidStr: String!, redirectUri uriStr: String!) {
        appID = appIDStr
        pid = pidStr
        redirectUri = uriStr
    }
}
