import AlipayPlusValues
import BillfoldStorage

/// Times as the OAuth server's messages write them: ISO 8601 with an offset, the envelope's form of Alipay+ too.
extension Timestamp {
    var openAPITime: String { alipayPlusTime.description }

    /// Whether a message's time, as it stands in its header, is this instant's within a tolerance. False for what is no time.
    func isNear(_ header: String, within tolerance: Duration) -> Bool {
        guard let time = try? AlipayPlusTime(header) else { return false }
        let (difference, overflow) = time.millisecondsSince1970.subtractingReportingOverflow(microseconds / 1_000)
        return !overflow && difference.magnitude <= UInt64(tolerance.components.seconds) * 1_000
    }
}
