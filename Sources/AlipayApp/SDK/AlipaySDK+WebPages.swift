import Alipay
public import Foundation

/// Taking a payment out of a web page, to pay it by the wallet.
extension AlipaySDK {
    /// The order that a page is about to open: from `alipay(s)://alipayclient/?…` its `dataString`, from
    /// `alipays://platformapi/startApp?…` its `orderSuffix` [O]. Nil for every other address, and for an order that names no number: it
    /// could not be asked for afterwards, so the page keeps it.
    #if canImport(ObjectiveC)
        @objc(fetchOrderInfoFromH5PayUrl:)
    #endif
    public func fetchOrderInfo(fromH5PayUrl urlStr: String!) -> String! {
        guard let urlStr, let order = AppSwitch.order(in: urlStr), (try? OrderFacts(order)) != nil else { return nil }
        return order
    }

    /// Pays what ``fetchOrderInfo(fromH5PayUrl:)`` found. The block's dictionary has `resultCode` and `returnUrl`, which is empty here: the
    /// page knows where to go.
    #if canImport(ObjectiveC)
        @objc(payUrlOrder:fromScheme:callback:)
    #endif
    public func payUrlOrder(_ orderStr: String!, fromScheme schemeStr: String!, callback completionBlock: CompletionBlock!) {
        pay(orderStr, returnTo: ReturnAddress(scheme: schemeStr ?? ""), completionBlock) { report in
            ["resultCode": report.status.rawValue, "returnUrl": "", "isProcessUrlPay": true]
        }
    }

    /// Both in one: false for an address that is no payment, which the web view then loads.
    #if canImport(ObjectiveC)
        @objc(payInterceptorWithUrl:fromScheme:callback:)
    #endif
    public func payInterceptor(withUrl urlStr: String!, fromScheme schemeStr: String!, callback completionBlock: CompletionBlock!) -> Bool {
        guard let order = fetchOrderInfo(fromH5PayUrl: urlStr) else { return false }
        payUrlOrder(order, fromScheme: schemeStr, callback: completionBlock)
        return true
    }

    /// Takes the link by which the wallet came back. The header has it for a user activity alone; this form is for whoever has the link.
    public func handleOpenUniversalLink(_ link: URL!, standbyCallback completionBlock: CompletionBlock!) {
        processOrder(withPaymentResult: link, standbyCallback: completionBlock)
    }
}
