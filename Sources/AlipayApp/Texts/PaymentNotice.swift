import Alipay
public import CustomerLanguages

/// What a customer reads of a payment. An app shows these or words of its own; none of them promises more than is known.
public enum PaymentNotice: String, Sendable, Hashable, CaseIterable {
    /// The merchant's server has the money.
    case paid
    /// Nobody knows yet. It never says that the payment failed.
    case beingConfirmed
    /// The customer came back without paying.
    case cancelled
    /// Not paid, for certain.
    case notPaid
    /// Nothing was sent.
    case notBegun

    /// The longest text, in characters: two lines of a narrow phone.
    static let lengthLimit = 90

    /// What is said of an outcome. Of a thrown ``AlipayAppError``, ``notBegun`` is.
    public init(_ outcome: PaymentOutcome) {
        switch outcome {
        case .succeeded: self = .paid
        case .cancelled: self = .cancelled
        case .failed: self = .notPaid
        case .undecided: self = .beingConfirmed
        }
    }

    /// What is said of the code of the documented dictionary: of any that no document names, that the payment is being confirmed.
    public init(resultStatus: String?) {
        guard let resultStatus else {
            self = .beingConfirmed
            return
        }
        switch AlipayResultStatus(rawValue: resultStatus).action {
        case .verify: self = .paid
        case .backToOrder: self = .cancelled
        case .retry: self = .notPaid
        case .query: self = .beingConfirmed
        }
    }

    /// The text, with its full stop where the language has one.
    public func text(in language: CustomerLanguage) -> String { Self.table[self]?[language] ?? "" }

    static let table: [PaymentNotice: [CustomerLanguage: String]] = [
        .paid: [
            .simplifiedChinese: "付款成功。",
            .traditionalChinese: "付款成功。",
            .english: "Your payment went through.",
            .korean: "결제가 완료되었습니다.",
            .filipino: "Matagumpay ang iyong bayad.",
            .malay: "Pembayaran anda berjaya.",
            .indonesian: "Pembayaran Anda berhasil.",
            .thai: "ชำระเงินสำเร็จแล้ว",
        ],
        .beingConfirmed: [
            .simplifiedChinese: "正在确认付款结果，请勿重复付款。",
            .traditionalChinese: "正在確認付款結果，請勿重複付款。",
            .english: "We are confirming your payment. Please do not pay again.",
            .korean: "결제 결과를 확인하고 있습니다. 다시 결제하지 마세요.",
            .filipino: "Kinukumpirma namin ang iyong bayad. Huwag munang magbayad muli.",
            .malay: "Kami sedang mengesahkan pembayaran anda. Jangan bayar sekali lagi.",
            .indonesian: "Kami sedang memastikan pembayaran Anda. Jangan membayar lagi.",
            .thai: "กำลังตรวจสอบการชำระเงินของคุณ โปรดอย่าชำระซ้ำ",
        ],
        .cancelled: [
            .simplifiedChinese: "您已取消付款。",
            .traditionalChinese: "你已取消付款。",
            .english: "You cancelled the payment.",
            .korean: "결제를 취소했습니다.",
            .filipino: "Kinansela mo ang pagbabayad.",
            .malay: "Anda telah membatalkan pembayaran.",
            .indonesian: "Anda membatalkan pembayaran.",
            .thai: "คุณยกเลิกการชำระเงินแล้ว",
        ],
        .notPaid: [
            .simplifiedChinese: "付款未成功，请重试或选择其他付款方式。",
            .traditionalChinese: "付款未能完成，請重試或選擇其他付款方式。",
            .english: "The payment did not go through. Try again or choose another way to pay.",
            .korean: "결제가 완료되지 않았습니다. 다시 시도하거나 다른 결제 수단을 선택해 주세요.",
            .filipino: "Hindi natuloy ang bayad. Subukang muli o pumili ng ibang paraan ng pagbabayad.",
            .malay: "Pembayaran tidak berjaya. Cuba lagi atau pilih cara pembayaran lain.",
            .indonesian: "Pembayaran tidak berhasil. Coba lagi atau pilih cara pembayaran lain.",
            .thai: "การชำระเงินไม่สำเร็จ โปรดลองอีกครั้งหรือเลือกวิธีชำระเงินอื่น",
        ],
        .notBegun: [
            .simplifiedChinese: "暂时无法开始付款，您没有被扣款。",
            .traditionalChinese: "暫時無法開始付款，你沒有被扣款。",
            .english: "The payment could not be started. You were not charged.",
            .korean: "결제를 시작할 수 없습니다. 청구된 금액은 없습니다.",
            .filipino: "Hindi masimulan ang pagbabayad. Walang nasingil sa iyo.",
            .malay: "Pembayaran tidak dapat dimulakan. Anda tidak dicaj.",
            .indonesian: "Pembayaran tidak dapat dimulai. Anda tidak dikenai biaya.",
            .thai: "ไม่สามารถเริ่มการชำระเงินได้ คุณไม่ถูกเรียกเก็บเงิน",
        ],
    ]
}
