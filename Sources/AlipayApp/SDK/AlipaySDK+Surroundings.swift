import BillfoldConcurrency

/// Told of what the SDK does, in words for developers.
public typealias APLogBlock = (String?) -> Void

/// Names one thing of a phone that the real SDK knows.
public enum AlipayTidFactor: Int, Sendable, CaseIterable {
    case imei, imsi, tid, clientKey, virtualIMEI, virtualIMSI, clientID, apdid, max
}

public let ALIPAY_TIDFACTOR_IMEI = AlipayTidFactor.imei
public let ALIPAY_TIDFACTOR_IMSI = AlipayTidFactor.imsi
public let ALIPAY_TIDFACTOR_TID = AlipayTidFactor.tid
public let ALIPAY_TIDFACTOR_CLIENTKEY = AlipayTidFactor.clientKey
public let ALIPAY_TIDFACTOR_VIMEI = AlipayTidFactor.virtualIMEI
public let ALIPAY_TIDFACTOR_VIMSI = AlipayTidFactor.virtualIMSI
public let ALIPAY_TIDFACTOR_CLIENTID = AlipayTidFactor.clientID
public let ALIPAY_TIDFACTOR_APDID = AlipayTidFactor.apdid
public let ALIPAY_TIDFACTOR_MAX = AlipayTidFactor.max

/// What the header has beside payments.
extension AlipaySDK {
    @MainActor private static var logBlock: APLogBlock?

    /// Says from now on what the SDK does: calls and codes, no order and no result. One block; the last one that was given.
    #if canImport(ObjectiveC)
        @objc(startLogWithBlock:)
    #endif
    public static func startLog(_ logBlock: APLogBlock!) {
        let block = HandedOver(logBlock)
        MainThread.soon { Self.logBlock = block.value }
    }

    /// Says nothing any more, and lets the block go.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static func stopLog() {
        MainThread.soon { logBlock = nil }
    }

    @MainActor static func log(_ line: String) { logBlock?(line) }

    /// Nil: this client knows no device by its number.
    public func queryTidFactor(_ factor: AlipayTidFactor) -> String! { nil }

    /// Changes nothing, as in a released real SDK: hosts are those of ``PaymentClientConfiguration``.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func setUrl(_ url: String!) {}

    /// Says yes a moment later: this client fetches no settings.
    #if canImport(ObjectiveC)
        @objc(fetchSdkConfigWithBlock:)
    #endif
    public func fetchSdkConfig(_ block: ((Bool) -> Void)!) {
        let told = HandedOver(block)
        Task { @MainActor in told.value?(true) }
    }
}
