import Foundation
import PassKit

/// Requests for what is paid later, or by several merchants at once.
enum Memberships {
    static let manage = URL(string: "https://shop.example/membership")!

    private static func request(_ items: [PKPaymentSummaryItem]) -> PKPaymentRequest {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.club"
        request.countryCode = "US"
        request.currencyCode = "USD"
        request.supportedNetworks = [.visa, .masterCard]
        request.merchantCapabilities = .threeDSecure
        request.paymentSummaryItems = items
        return request
    }

    static func monthly() -> PKPaymentRequest {
        let fee = PKRecurringPaymentSummaryItem(label: "Membership", amount: NSDecimalNumber(string: "9.99"))
        fee.startDate = Date(timeIntervalSinceReferenceDate: 800_000_000)
        fee.intervalUnit = .month
        fee.intervalCount = 1
        fee.endDate = nil
        let trial = PKRecurringPaymentSummaryItem(label: "Trial", amount: .zero, type: .final)
        let request = request([fee, PKPaymentSummaryItem(label: "Club", amount: NSDecimalNumber(string: "9.99"))])
        let agreement = PKRecurringPaymentRequest(paymentDescription: "Membership", regularBilling: fee, managementURL: manage)
        agreement.trialBilling = trial
        agreement.billingAgreement = "A month, and again until you leave."
        agreement.tokenNotificationURL = URL(string: "https://shop.example/tokens")
        request.recurringPaymentRequest = agreement
        return request
    }

    static func topUp() -> PKPaymentRequest {
        let top = PKAutomaticReloadPaymentSummaryItem(label: "Top-up", amount: NSDecimalNumber(value: 25))
        top.thresholdAmount = NSDecimalNumber(value: 5)
        let request = request([top, PKPaymentSummaryItem(label: "Club", amount: NSDecimalNumber(value: 25))])
        request.automaticReloadPaymentRequest = PKAutomaticReloadPaymentRequest(
            paymentDescription: "Top-up", automaticReloadBilling: top, managementURL: manage)
        return request
    }

    @available(iOS 16.4, macOS 13.3, *)
    static func hotel() -> PKPaymentRequest {
        let night = PKDeferredPaymentSummaryItem(label: "One night", amount: NSDecimalNumber(value: 120))
        night.deferredDate = Date(timeIntervalSinceReferenceDate: 810_000_000)
        let request = request([night, PKPaymentSummaryItem(label: "Club", amount: NSDecimalNumber(value: 120))])
        let stay = PKDeferredPaymentRequest(paymentDescription: "One night", deferredBilling: night, managementURL: manage)
        stay.freeCancellationDate = Date(timeIntervalSinceReferenceDate: 809_000_000)
        stay.freeCancellationDateTimeZone = TimeZone(identifier: "UTC")
        request.deferredPaymentRequest = stay
        return request
    }

    static func trip() -> PKPaymentRequest {
        let total = NSDecimalNumber(value: 300)
        let request = request([PKPaymentSummaryItem(label: "Trip", amount: total)])
        request.multiTokenContexts = [
            PKPaymentTokenContext(
                merchantIdentifier: "merchant.example.train", externalIdentifier: "t-1", merchantName: "Train",
                merchantDomain: "train.example", amount: NSDecimalNumber(value: 180)),
            PKPaymentTokenContext(
                merchantIdentifier: "merchant.example.inn", externalIdentifier: "i-1", merchantName: "Inn", merchantDomain: nil,
                amount: NSDecimalNumber(value: 120)),
        ]
        return request
    }
}
