public import Foundation

/// Shows the cashier: the service behind `my.tradePay` (mini-programs.md#paymentservice [D]). A super app subclasses it.
///
/// Called and answered as ``IAPWalletOAuthServiceSignature`` says.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked because it can be subclassed: it holds nothing, and a subclass that restates it promises the same of what it holds.
open class IAPWalletPaymentServiceSignature: NSObject, IAPWalletErrorConstants, @unchecked Sendable {
    /// Makes a service. A subclass with members of its own calls it after it has set them.
    public override init() { super.init() }

    /// Lets the person pay. Mandatory. A payment whose end is not known is answered 6004 or 8000, never 4000.
    @MainActor
    @preconcurrency
    open func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletPaymentResult) -> Void
    ) {
        callback(IAPWalletPaymentResult().failing(.appServiceError, unimplemented("pay")))
    }
}

/// Reads codes: the service behind `my.scan` (mini-programs.md#codeservice [D]). A super app subclasses it.
///
/// Called and answered as ``IAPWalletOAuthServiceSignature`` says.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked because it can be subclassed: it holds nothing, and a subclass that restates it promises the same of what it holds.
open class IAPWalletCodeServiceSignature: NSObject, IAPWalletErrorConstants, @unchecked Sendable {
    /// Makes a service. A subclass with members of its own calls it after it has set them.
    public override init() { super.init() }

    /// Opens the scanner. Mandatory. Leaving it is 1001, a picture without a code 1000.
    @MainActor
    @preconcurrency
    open func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        callback(IAPWalletScannerResult().failing(.appServiceError, unimplemented("scan")))
    }
}

/// Tells who the user is (mini-programs.md#memberservice [D]). A super app subclasses it.
///
/// Called and answered as ``IAPWalletOAuthServiceSignature`` says.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked because it can be subclassed: it holds nothing, and a subclass that restates it promises the same of what it holds.
open class IAPWalletMemberServiceSignature: NSObject, IAPWalletErrorConstants, IAPWalletScopeConstants, @unchecked Sendable {
    /// Makes a service. A subclass with members of its own calls it after it has set them.
    public override init() { super.init() }

    /// Fetches member data. Mandatory in later generations of the SDK.
    @MainActor
    @preconcurrency
    open func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        callback(IAPWalletMemberInfoFetchResult().failing(.appServiceError, unimplemented("getMemberInfo")))
    }
}

extension NSObject {
    /// The reason of a method that a subclass did not write.
    func unimplemented(_ method: String) -> String { "\(type(of: self)) does not implement \(method)" }
}
