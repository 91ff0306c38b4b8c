public import AlipayPlus

/// When a wallet is asked what became of a leg: data, from alipay-plus.md#polling [O], and for payments that a person confirms our own [I].
public struct InquirySchedule: Sendable {
    public var waits: [PaymentScenario: [Duration]]

    public init() {
        let patient: [Duration] = [5, 10, 15, 30].map { .seconds($0) }
        waits = [
            .paymentCode: AlipayPlusSchedule.inStoreInquiry.map { .seconds($0) },
            .automaticDebit: AlipayPlusSchedule.automaticDebitInquiry.map { .seconds($0) }, .cashier: patient, .orderCode: patient,
            .entryCode: patient,
        ]
    }

    /// The wait after so many inquiries; the last one goes on.
    func wait(_ scenario: PaymentScenario, after count: Int64) -> Duration {
        let all = waits[scenario] ?? []
        return all.isEmpty ? .seconds(30) : all[min(Int(count), all.count - 1)]
    }
}
