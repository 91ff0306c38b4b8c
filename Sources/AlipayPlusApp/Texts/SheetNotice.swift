public import CustomerLanguages

/// What a customer reads when a payment sheet is over. An app shows these or words of its own. None says that anything was paid or that nothing was:
/// the merchant's server knows.
public enum SheetNotice: String, Sendable, Hashable, CaseIterable {
    /// A wallet was opened: the person pays there.
    case inWallet
    /// The customer closed the sheet, or came back from Alipay by its cancel.
    case cancelled
    /// Nobody knows yet. It never says that the payment failed.
    case beingConfirmed
    /// Alipay said that it failed. The order may be paid all the same: ask before the customer pays again.
    case unfinished
    /// There was no sheet, or no way into the wallet.
    case notBegun

    /// The longest text, in characters: two lines of a narrow phone.
    static let lengthLimit = 90

    /// What is said of an outcome.
    public init(_ outcome: PaymentSheetOutcome) {
        switch outcome {
        case .left: self = .inWallet
        case .cancelled, .alipay(.canceled): self = .cancelled
        case .alipay(.success), .alipay(.processing), .alipay(.exception): self = .beingConfirmed
        case .alipay(.failed): self = .unfinished
        case .failed: self = .notBegun
        }
    }

    /// The text, with its full stop where the language has one.
    public func text(in language: CustomerLanguage) -> String { Self.table[self]?[language] ?? "" }

    static let table: [SheetNotice: [CustomerLanguage: String]] = [
        .inWallet: [
            .simplifiedChinese: "请在您的钱包中完成付款，之后我们会确认结果。",
            .traditionalChinese: "請在你的錢包中完成付款，之後我們會確認結果。",
            .english: "Finish the payment in your wallet. We will then confirm the result.",
            .korean: "지갑 앱에서 결제를 마쳐 주세요. 그다음 결과를 확인합니다.",
            .filipino: "Tapusin ang pagbabayad sa iyong wallet. Kukumpirmahin namin ang resulta pagkatapos.",
            .malay: "Selesaikan pembayaran dalam dompet anda. Kami akan mengesahkan hasilnya selepas itu.",
            .indonesian: "Selesaikan pembayaran di dompet Anda. Setelah itu kami memastikan hasilnya.",
            .thai: "โปรดชำระเงินให้เสร็จในวอลเล็ตของคุณ จากนั้นเราจะตรวจสอบผล",
        ],
        .cancelled: [
            .simplifiedChinese: "您已关闭付款。",
            .traditionalChinese: "你已關閉付款。",
            .english: "You closed the payment.",
            .korean: "결제를 닫으셨습니다.",
            .filipino: "Isinara mo ang pagbabayad.",
            .malay: "Anda telah menutup pembayaran.",
            .indonesian: "Anda menutup pembayaran.",
            .thai: "คุณปิดการชำระเงินแล้ว",
        ],
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
            .simplifiedChinese: "支付宝未完成付款，我们正在核实，请先不要重复付款。",
            .traditionalChinese: "支付寶未完成付款，我們正在核實，請先不要重複付款。",
            .english: "Alipay did not finish the payment. We are checking it: please do not pay again yet.",
            .korean: "알리페이에서 결제가 완료되지 않았습니다. 확인하고 있으니 아직 다시 결제하지 마세요.",
            .filipino: "Hindi natapos ng Alipay ang bayad. Sinusuri namin ito: huwag munang magbayad muli.",
            .malay: "Alipay tidak menyelesaikan pembayaran. Kami sedang menyemaknya: jangan bayar lagi.",
            .indonesian: "Alipay tidak menyelesaikan pembayaran. Kami sedang memeriksanya: jangan bayar lagi dulu.",
            .thai: "Alipay ชำระเงินไม่เสร็จสิ้น เรากำลังตรวจสอบ โปรดอย่าเพิ่งชำระซ้ำ",
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
