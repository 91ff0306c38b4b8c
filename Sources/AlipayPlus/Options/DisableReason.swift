public import BillfoldMoney

/// Why Alipay+ is not offered, in words for the person who pays. The texts that Alipay+ itself uses are not published: these are ours.
public enum DisableReason: Sendable, Hashable {
    /// Nothing is published for the merchant in this currency: there is no contract for it.
    case currencyNotOffered(Currency)
    /// The merchant's option is published and switched off.
    case switchedOff

    public func text(in language: AlipayPlusLanguage) -> String {
        switch self {
        case .currencyNotOffered(let currency): Self.notOffered(currency.alphabeticCode, language)
        case .switchedOff: Self.off(language)
        }
    }

    private static func notOffered(_ code: String, _ language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "该商户暂不支持用 Alipay+ 支付 \(code)，请选择其他付款方式。"
        case .traditionalChinese: "此商戶暫不支援以 Alipay+ 支付 \(code)，請選擇其他付款方式。"
        case .english: "This merchant does not take payments in \(code) by Alipay+. Please choose another way to pay."
        case .korean: "이 가맹점에서는 Alipay+로 \(code) 결제를 할 수 없습니다. 다른 결제 수단을 선택해 주세요."
        case .filipino: "Hindi tumatanggap ang merchant na ito ng bayad sa \(code) gamit ang Alipay+. Pumili ng ibang paraan ng pagbabayad."
        case .malay: "Peniaga ini tidak menerima bayaran dalam \(code) melalui Alipay+. Sila pilih cara pembayaran lain."
        case .indonesian: "Merchant ini tidak menerima pembayaran dalam \(code) melalui Alipay+. Silakan pilih cara pembayaran lain."
        case .thai: "ร้านค้านี้ไม่รับชำระเงินสกุล \(code) ผ่าน Alipay+ โปรดเลือกวิธีชำระเงินอื่น"
        }
    }

    private static func off(_ language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "该商户目前无法使用 Alipay+，请选择其他付款方式。"
        case .traditionalChinese: "此商戶目前無法使用 Alipay+，請選擇其他付款方式。"
        case .english: "Alipay+ is not available at this merchant right now. Please choose another way to pay."
        case .korean: "현재 이 가맹점에서 Alipay+를 사용할 수 없습니다. 다른 결제 수단을 선택해 주세요."
        case .filipino: "Hindi magagamit ang Alipay+ sa merchant na ito sa ngayon. Pumili ng ibang paraan ng pagbabayad."
        case .malay: "Alipay+ tidak tersedia di peniaga ini buat masa ini. Sila pilih cara pembayaran lain."
        case .indonesian: "Alipay+ sedang tidak tersedia di merchant ini. Silakan pilih cara pembayaran lain."
        case .thai: "ขณะนี้ใช้ Alipay+ ที่ร้านค้านี้ไม่ได้ โปรดเลือกวิธีชำระเงินอื่น"
        }
    }
}
