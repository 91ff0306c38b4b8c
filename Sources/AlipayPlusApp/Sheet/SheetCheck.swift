import AlipayPlusValues
import BillfoldJSON
import Foundation

/// Whether payment data can be shown by a client with these settings: every slip that public integrations report as "no sheet" gets its
/// own words.
enum SheetCheck {
    static func data(_ text: String, for settings: Settings, at now: Int64) throws(IAPError) -> PaymentData {
        let data: PaymentData
        do throws(AlipayPlusError) { data = try PaymentData(text) } catch { throw illegal(error.reason) }
        guard data.environment == settings.environment else {
            throw illegal(
                "the payment data is of \(data.environment.rawValue), the client is set up for \(settings.environment.rawValue)")
        }
        guard ExactText.equal(data.merchantID, settings.merchantID) else {
            throw illegal("the payment was made for another merchantId than the client is set up with")
        }
        guard ExactText.equal(data.acquirerID, settings.acquirerID) else {
            throw illegal("the payment was made for another acquirerId than the client is set up with")
        }
        guard let expiry = milliseconds(data.expiryTime) else { throw illegal("the payment data's expiryTime is no time") }
        guard now < expiry else { throw illegal("the payment expired at \(data.expiryTime)") }
        guard URL(string: data.sheetURL).map({ OpenableAddress.isPage($0, in: data.environment) }) ?? false else {
            throw illegal("the payment data's sheetUrl is no https address")
        }
        return data
    }

    /// Since 1970; nil for what is no time with a zone.
    static func milliseconds(_ text: String) -> Int64? { (try? AlipayPlusTime(text))?.millisecondsSince1970 }

    private static func illegal(_ reason: String) -> IAPError { IAPError(.parameterIllegal, reason) }
}
