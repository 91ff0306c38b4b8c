import AlipayPlus
import BillfoldMoney
import BillfoldStorage

/// An order of the merchant, with every attempt to have it paid, in the acquirer's books.
struct AcquirerOrder: PartyDocument, Hashable {
    static let kind = "acquirer.order"

    enum State: String, Sendable, Hashable, Codable {
        /// Nobody knows yet: asked for until it is known, and never shown as failed.
        case inProcess = "in-process"
        /// Alipay+ said so under its signature.
        case paid
        case failed
        /// Alipay+ has confirmed the cancel. It stays so, whatever comes in later.
        case cancelled
    }

    struct Refund: Sendable, Hashable, Codable {
        enum State: String, Sendable, Hashable, Codable {
            case asked, done, refused
        }
        /// `refundRequestId`.
        var id: String
        var amount: Amount
        var state: State
        /// Alipay+'s number of it.
        var number: String?
        /// What goes back of the settlement.
        var settlement: Amount?
        /// Milliseconds since 1970, as Alipay+ says.
        var at: Int64?
        /// Why it was refused.
        var code: String?
    }

    /// One `pay`.
    struct Attempt: Sendable, Hashable, Codable {
        /// `paymentRequestId`.
        var id: String
        var way: PaymentScenario
        var state = State.inProcess
        /// The result's code, where it is not paid.
        var failure: String?
        /// Whether the acquirer wants it cancelled, and Alipay+ has not confirmed that.
        var isCancelling = false
        /// `paymentId`, Alipay+'s.
        var number: String?
        var pspID: String?
        /// What people call the wallet.
        var wallet: String?
        /// `mppPaymentId`, the wallet's own.
        var walletNumber: String?
        var settlement: Amount?
        /// Milliseconds since 1970, as all times here.
        var paidAt: Int64?
        var madeAt: Int64
        /// For the app that shows the sheet.
        var paymentData: String?
        /// Where a browser pays.
        var page: String?
        /// The code that a till shows.
        var orderCode: String?
        var refunds: [Refund] = []
        /// How many notifications were taken.
        var notifications = 0
        /// How often it was asked for.
        var inquiries = 0

        /// What words about it are held against.
        func asked(_ price: Amount) -> AskedPayment { AskedPayment(requestID: id, amount: WireAmount(price), number: number) }

        var refunded: Int64 { refunds.filter { $0.state == .done }.reduce(0) { $0 + $1.amount.minorUnits } }
    }

    /// `referenceOrderId`.
    var id: String
    var offer: String
    var subject: String
    var price: Amount
    var attempts: [Attempt] = []
    var madeAt: Int64

    /// The attempt that counts: the one that is paid, else the last.
    var attempt: Attempt? { attempts.first { $0.state == .paid } ?? attempts.last }

    mutating func change(_ attempt: String, _ body: (inout Attempt) throws -> Void) rethrows {
        guard let index = attempts.firstIndex(where: { $0.id == attempt }) else { return }
        try body(&attempts[index])
    }
}

/// Whose attempt a request id is.
struct AcquirerRequest: PartyDocument {
    static let kind = "acquirer.request"
    /// `paymentRequestId`.
    var id: String
    var order: String
    /// The body of `pay`, as it was sent: a repetition is the same.
    var body: String
}

/// An attempt that is to be asked for at an instant.
struct AcquirerInquiry: PartyDocument {
    static let kind = "acquirer.inquiry"
    /// `paymentRequestId`.
    var id: String
}

/// When an attempt is asked for that nobody has told of (alipay-plus.md#polling [O]), and when it is given up and cancelled.
enum AcquirerSchedule {
    /// Seconds until the next question; nil where the attempt is to be cancelled instead.
    ///
    /// - Parameters:
    ///   - inquiries: How often it was asked for.
    ///   - age: Seconds since it was made.
    static func wait(_ way: PaymentScenario, after inquiries: Int, age: Int64) -> Int64? {
        switch way {
        case .paymentCode: inquiries < AlipayPlusSchedule.inStoreInquiry.count ? AlipayPlusSchedule.inStoreInquiry[inquiries] : nil
        case .automaticDebit:
            inquiries < AlipayPlusSchedule.automaticDebitInquiry.count ? AlipayPlusSchedule.automaticDebitInquiry[inquiries] : nil
        // While the person waits it is asked for often; a minute past its end nobody pays any more.
        case .cashier, .orderCode, .entryCode:
            age > AlipayPlusSchedule.paymentLifetime + 60 ? nil : age < 120 ? 4 : 30
        }
    }
}
