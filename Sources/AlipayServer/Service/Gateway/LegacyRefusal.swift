import Alipay

/// What the legacy gateway answers instead of a result (alipay.md#legacy-errors).
struct LegacyRefusal: Error {
    var code: LegacyErrorCode
    init(_ code: LegacyErrorCode) { self.code = code }
}
