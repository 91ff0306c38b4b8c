public import CustomerLanguages

/// What a customer reads when the plug-in is done. An app shows these or words of its own. None says that anything was paid or that nothing was: no
/// word of the client proves it, and the merchant's server knows (unionpay-tn.md#result).
public enum PluginNotice: String, Sendable, Hashable, CaseIterable {
    /// After a success, a cancellation, a word that no document names, and none at all. It never says that the payment failed.
    case beingConfirmed
    /// After a failure. The order may be paid all the same, or later: ask before the customer pays again.
    case unfinished
    /// The plug-in was not shown: `startPay` returned false.
    case notBegun

    /// The longest text, in characters: two lines of a narrow phone.
    static let lengthLimit = 90

    /// What is said of the word in a URL, or of a code that is no word.
    public init(_ word: PluginWord?) {
        switch word {
        case .fail: self = .unfinished
        case .success, .cancel, nil: self = .beingConfirmed
        }
    }

    /// What is said of a result of Apple Pay.
    public init(_ status: UPPaymentResultStatus) {
        switch status {
        case .failure: self = .unfinished
        case .success, .cancel, .unknownCancel: self = .beingConfirmed
        }
    }

    /// The text, with its full stop where the language has one.
    public func text(in language: CustomerLanguage) -> String { Self.table[self]?[language] ?? "" }

    static let table: [PluginNotice: [CustomerLanguage: String]] = [
        .beingConfirmed: [
            .simplifiedChinese: "正在确认付款结果，请勿重复付款。",
            .traditionalChinese: "正在確認付款結果，請勿重複付款。",
            .english: "Your payment is being confirmed. Please do not pay again.",
            .korean: "결제 결과를 확인하고 있습니다. 다시 결제하지 마세요.",
            .filipino: "Kinukumpirma namin ang iyong bayad. Huwag munang magbayad muli.",
            .malay: "Pembayaran anda sedang disahkan. Jangan bayar sekali lagi.",
            .indonesian: "Pembayaran Anda sedang dipastikan. Jangan membayar lagi.",
            .thai: "กำลังตรวจสอบการชำระเงินของคุณ โปรดอย่าชำระซ้ำ",
        ],
        .unfinished: [
            .simplifiedChinese: "银联未完成付款，我们正在核实，请先不要重复付款。",
            .traditionalChinese: "銀聯未完成付款，我們正在核實，請先不要重複付款。",
            .english: "UnionPay did not finish the payment. We are checking it: please do not pay again yet.",
            .korean: "유니온페이에서 결제가 완료되지 않았습니다. 확인하고 있으니 아직 다시 결제하지 마세요.",
            .filipino: "Hindi natapos ng UnionPay ang bayad. Sinusuri namin ito: huwag munang magbayad muli.",
            .malay: "UnionPay tidak menyelesaikan pembayaran. Kami sedang menyemaknya: jangan bayar lagi.",
            .indonesian: "UnionPay tidak menyelesaikan pembayaran. Kami sedang memeriksanya: jangan bayar lagi dulu.",
            .thai: "UnionPay ชำระเงินไม่เสร็จสิ้น เรากำลังตรวจสอบ โปรดอย่าเพิ่งชำระซ้ำ",
        ],
        .notBegun: [
            .simplifiedChinese: "暂时无法开始付款，请选择其他付款方式。",
            .traditionalChinese: "暫時無法開始付款，請選擇其他付款方式。",
            .english: "The payment could not be started. Please choose another way to pay.",
            .korean: "결제를 시작할 수 없습니다. 다른 결제 수단을 선택해 주세요.",
            .filipino: "Hindi masimulan ang pagbabayad. Pumili ng ibang paraan ng pagbabayad.",
            .malay: "Pembayaran tidak dapat dimulakan. Sila pilih cara pembayaran lain.",
            .indonesian: "Pembayaran tidak dapat dimulai. Silakan pilih cara pembayaran lain.",
            .thai: "ไม่สามารถเริ่มการชำระเงินได้ โปรดเลือกวิธีชำระเงินอื่น",
        ],
    ]
}
