public import BillfoldMoney

/// Why Alipay+, or one of its wallets, is not offered, in words for the person who pays. The texts that Alipay+ itself uses are not
/// published: these are ours. `brand` is what the person sees as the way to pay.
public enum DisableReason: Sendable, Hashable {
    /// Nothing is published for the merchant in this currency: there is no contract, or no rate, for it.
    case currencyNotOffered(Currency, brand: String = "Alipay+")
    /// The merchant's option is published and switched off.
    case switchedOff
    /// The payment is limited to wallets of these regions.
    case regionNotAllowed([String], brand: String)
    /// It cannot be paid by in this way: on a sheet, or by automatic debit.
    case wayNotOffered(brand: String)
    /// Limits of one payment where they are known, in the wallet's own currency.
    case amountOutsideLimits(brand: String, least: Amount?, most: Amount?)

    /// What the person who pays reads. It ends by asking for another way to pay.
    public func text(in language: AlipayPlusLanguage) -> String {
        switch self {
        case .currencyNotOffered(let currency, let brand): Self.notOffered(currency.alphabeticCode, brand: brand, in: language)
        case .switchedOff: Self.off(language)
        case .regionNotAllowed(let regions, let brand): Self.region(Self.list(regions), brand: brand, in: language)
        case .wayNotOffered(let brand): Self.way(brand, language)
        case .amountOutsideLimits(let brand, let least, let most): Self.amount(Self.range(least, most), brand: brand, in: language)
        }
    }

    /// What a stranger may have written is shown only where it can be a region.
    private static func list(_ regions: [String]) -> String {
        let known = regions.filter { $0.utf8.count == 2 && $0.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) }
        return known.isEmpty ? "" : " (\(known.prefix(8).joined(separator: ", ")))"
    }

    private static func range(_ least: Amount?, _ most: Amount?) -> String {
        switch (least, most) {
        case (let least?, let most?): " (\(least) – \(most))"
        case (let least?, nil): " (≥ \(least))"
        case (nil, let most?): " (≤ \(most))"
        case (nil, nil): ""
        }
    }

    private static func notOffered(_ code: String, brand: String, in language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "该商户暂不支持用 \(brand) 支付 \(code)，请选择其他付款方式。"
        case .traditionalChinese: "此商戶暫不支援以 \(brand) 支付 \(code)，請選擇其他付款方式。"
        case .english: "This merchant does not take payments in \(code) by \(brand). Please choose another way to pay."
        case .korean: "이 가맹점에서는 \(brand)로 \(code) 결제를 할 수 없습니다. 다른 결제 수단을 선택해 주세요."
        case .filipino:
            "Hindi tumatanggap ang merchant na ito ng bayad sa \(code) gamit ang \(brand). Pumili ng ibang paraan ng pagbabayad."
        case .malay: "Peniaga ini tidak menerima bayaran dalam \(code) melalui \(brand). Sila pilih cara pembayaran lain."
        case .indonesian: "Merchant ini tidak menerima pembayaran dalam \(code) melalui \(brand). Silakan pilih cara pembayaran lain."
        case .thai: "ร้านค้านี้ไม่รับชำระเงินสกุล \(code) ผ่าน \(brand) โปรดเลือกวิธีชำระเงินอื่น"
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

    private static func region(_ list: String, brand: String, in language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "此笔付款仅限其他地区\(list)的钱包，无法使用 \(brand)，请选择其他付款方式。"
        case .traditionalChinese: "此筆付款僅限其他地區\(list)的錢包，無法使用 \(brand)，請選擇其他付款方式。"
        case .english:
            "\(brand) cannot be used here: this payment only takes wallets from other regions\(list). Please choose another way to pay."
        case .korean: "이 결제는 다른 지역\(list)의 지갑만 사용할 수 있어 \(brand)로 결제할 수 없습니다. 다른 결제 수단을 선택해 주세요."
        case .filipino:
            "Hindi magagamit ang \(brand): mga wallet lang ng ibang rehiyon\(list) ang tinatanggap. Pumili ng ibang paraan ng pagbabayad."
        case .malay:
            "\(brand) tidak boleh digunakan: bayaran ini hanya menerima dompet dari wilayah lain\(list). Sila pilih cara lain."
        case .indonesian:
            "\(brand) tidak dapat digunakan: pembayaran ini hanya menerima dompet dari wilayah lain\(list). Silakan pilih cara lain."
        case .thai: "ใช้ \(brand) ที่นี่ไม่ได้ เพราะรายการนี้รับเฉพาะวอลเล็ตจากภูมิภาคอื่น\(list) โปรดเลือกวิธีชำระเงินอื่น"
        }
    }

    private static func way(_ brand: String, _ language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "\(brand) 不支持此种付款方式，请选择其他付款方式。"
        case .traditionalChinese: "\(brand) 不支援此種付款方式，請選擇其他付款方式。"
        case .english: "\(brand) does not support this kind of payment. Please choose another way to pay."
        case .korean: "\(brand)는 이 결제 방식을 지원하지 않습니다. 다른 결제 수단을 선택해 주세요."
        case .filipino: "Hindi sinusuportahan ng \(brand) ang ganitong uri ng pagbabayad. Pumili ng ibang paraan ng pagbabayad."
        case .malay: "\(brand) tidak menyokong jenis bayaran ini. Sila pilih cara pembayaran lain."
        case .indonesian: "\(brand) tidak mendukung jenis pembayaran ini. Silakan pilih cara pembayaran lain."
        case .thai: "\(brand) ไม่รองรับการชำระเงินประเภทนี้ โปรดเลือกวิธีชำระเงินอื่น"
        }
    }

    private static func amount(_ range: String, brand: String, in language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "此金额超出 \(brand) 的单笔限额\(range)，请选择其他付款方式。"
        case .traditionalChinese: "此金額超出 \(brand) 的單筆限額\(range)，請選擇其他付款方式。"
        case .english: "This amount is outside what \(brand) takes for one payment\(range). Please choose another way to pay."
        case .korean: "이 금액은 \(brand)의 1회 결제 한도\(range)를 벗어납니다. 다른 결제 수단을 선택해 주세요."
        case .filipino: "Lampas ang halagang ito sa limitasyon ng \(brand) sa isang bayad\(range). Pumili ng ibang paraan ng pagbabayad."
        case .malay: "Amaun ini di luar had \(brand) untuk satu bayaran\(range). Sila pilih cara pembayaran lain."
        case .indonesian: "Jumlah ini di luar batas \(brand) untuk satu pembayaran\(range). Silakan pilih cara pembayaran lain."
        case .thai: "จำนวนเงินนี้อยู่นอกวงเงินต่อครั้งของ \(brand)\(range) โปรดเลือกวิธีชำระเงินอื่น"
        }
    }
}
