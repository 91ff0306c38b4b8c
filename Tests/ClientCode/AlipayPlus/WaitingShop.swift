import AlipayPlusClient
import Foundation

/// A shop that waits for the answer, and asks in each of the spellings.
@MainActor
struct WaitingShop {
    let client: AlipayPlusClient = AlipayPlusClient.shared()

    func row(_ currency: String, region: String? = nil) async -> String {
        let params = IAPInquirePaymentOptionParams()
        params.paymentCurrency = currency
        params.userRegion = region
        do {
            let option = try await client.inquirePaymentOption(with: params)
            return option.brandName ?? option.disableReason ?? ""
        } catch let error as NSError {
            return "\(error.domain == IAPErrorDomain) \(error.code) \(error.localizedDescription)"
        }
    }

    func ask(_ currency: String, told: @escaping (Bool) -> Void) {
        let params = IAPInquirePaymentOptionParams()
        params.paymentCurrency = currency
        client.inquirePaymentOption(withParams: params) { option, error in told(option?.enabled == true && error == nil) }
        client.inquirePaymentOption(with: params) { option, error in told(option?.enabled == true && error == nil) }
        client.inquirePaymentOption(params, completionHandler: { option, _ in told(option != nil) })
    }

    func speak(_ language: String) { client.configuration.language = language }

    /// Keeps the row for a start without a network.
    func stored(_ option: IAPPaymentOption) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: option, requiringSecureCoding: false)
    }

    func isLive() -> Bool {
        let environment: IAPEnv = client.configuration.envType ?? kIAPEnvPROD
        return environment == kIAPEnvPROD && IAPAlipayPlusClientVersionString.hasPrefix("2.")
    }

    func fromAFile(_ json: [AnyHashable: Any], _ currency: String) -> IAPPaymentOption? {
        IAPPaymentOption(jsonDictionary: json, currency: currency)
    }

    func builtIn() -> IAPPaymentOption? {
        IAPPaymentOption(jsonDictionary: [
            "enabled": true, "brandName": "Alipay+",
            "logos": [
                [
                    "logoName": "Alipay+", "logoUrl": "https://cdn.example/l.png", "logoPattern": "P1-APP-01", "logoWidth": 9,
                    "logoHeight": 3,
                ]
            ],
        ])
    }
}
