import CustomerLanguages

/// What a customer is told, in the language of their own.
enum NoticeTexts {
    enum Subject: String, Sendable, Hashable, CaseIterable {
        case added = "token added"
        case active = "token active"
        case resumed = "token resumed"
        case suspended = "token suspended"
        case deleted = "token deleted"
    }

    /// - Parameters:
    ///   - subject: What happened.
    ///   - language: The customer's.
    ///   - suffix: The card's last digits.
    ///   - device: The device's name, where it is known.
    static func text(_ subject: Subject, in language: CustomerLanguage, card suffix: String, on device: String?) -> String {
        let words = words[language]?[subject] ?? ""
        return switch language {
        case .english: "Your card ending in \(suffix)\(device.map { " on \($0)" } ?? ""): \(words)"
        case .simplifiedChinese: "尾号\(suffix)的卡片\(device.map { "（\($0)）" } ?? "")：\(words)"
        case .traditionalChinese: "尾號\(suffix)的卡片\(device.map { "（\($0)）" } ?? "")：\(words)"
        case .korean: "\(suffix)(으)로 끝나는 카드\(device.map { " (\($0))" } ?? ""): \(words)"
        case .filipino: "Ang iyong card na nagtatapos sa \(suffix)\(device.map { " sa \($0)" } ?? ""): \(words)"
        case .malay: "Kad anda yang berakhir dengan \(suffix)\(device.map { " pada \($0)" } ?? ""): \(words)"
        case .indonesian: "Kartu Anda yang berakhiran \(suffix)\(device.map { " di \($0)" } ?? ""): \(words)"
        case .thai: "บัตรของคุณที่ลงท้ายด้วย \(suffix)\(device.map { " บน \($0)" } ?? ""): \(words)"
        }
    }

    /// - Parameters:
    ///   - amount: With its currency, such as `12.30 EUR`.
    ///   - merchant: Who was paid.
    ///   - language: The customer's.
    ///   - suffix: The card's last digits.
    static func payment(of amount: String, to merchant: String, in language: CustomerLanguage, card suffix: String) -> String {
        switch language {
        case .english: "You paid \(amount) to \(merchant) with your card ending in \(suffix)."
        case .simplifiedChinese: "您用尾号\(suffix)的卡片向\(merchant)支付了\(amount)。"
        case .traditionalChinese: "您用尾號\(suffix)的卡片向\(merchant)支付了\(amount)。"
        case .korean: "\(suffix)(으)로 끝나는 카드로 \(merchant)에 \(amount)을(를) 결제했습니다."
        case .filipino: "Nagbayad ka ng \(amount) sa \(merchant) gamit ang iyong card na nagtatapos sa \(suffix)."
        case .malay: "Anda membayar \(amount) kepada \(merchant) dengan kad anda yang berakhir dengan \(suffix)."
        case .indonesian: "Anda membayar \(amount) kepada \(merchant) dengan kartu Anda yang berakhiran \(suffix)."
        case .thai: "คุณชำระเงิน \(amount) ให้ \(merchant) ด้วยบัตรที่ลงท้ายด้วย \(suffix)"
        }
    }

    private static let words: [CustomerLanguage: [Subject: String]] = [
        .english: [
            .added: "added. Please confirm that it was you before you pay with it.", .active: "ready to pay.",
            .resumed: "you can pay with it again.", .suspended: "suspended. You cannot pay with it for now.", .deleted: "removed.",
        ],
        .simplifiedChinese: [
            .added: "已添加。付款前请确认是您本人操作。", .active: "可以付款了。", .resumed: "可以再次付款了。",
            .suspended: "已暂停，暂时无法付款。", .deleted: "已移除。",
        ],
        .traditionalChinese: [
            .added: "已加入。付款前請確認是您本人操作。", .active: "可以付款了。", .resumed: "可以再次付款了。",
            .suspended: "已暫停，暫時無法付款。", .deleted: "已移除。",
        ],
        .korean: [
            .added: "추가되었습니다. 결제하기 전에 본인이 추가했는지 확인해 주세요.", .active: "결제할 수 있습니다.",
            .resumed: "다시 결제할 수 있습니다.", .suspended: "정지되었습니다. 지금은 결제할 수 없습니다.", .deleted: "삭제되었습니다.",
        ],
        .filipino: [
            .added: "naidagdag na. Pakikumpirma na ikaw ito bago ka magbayad gamit ito.", .active: "handa nang ipambayad.",
            .resumed: "maaari mo na ulit itong ipambayad.", .suspended: "sinuspinde. Hindi mo muna ito maipambabayad.",
            .deleted: "inalis na.",
        ],
        .malay: [
            .added: "ditambah. Sila sahkan bahawa ia anda sebelum membayar dengannya.", .active: "sedia untuk membayar.",
            .resumed: "anda boleh membayar dengannya semula.", .suspended: "digantung. Anda tidak boleh membayar dengannya buat masa ini.",
            .deleted: "dialih keluar.",
        ],
        .indonesian: [
            .added: "ditambahkan. Konfirmasikan bahwa ini Anda sebelum membayar dengannya.", .active: "siap untuk membayar.",
            .resumed: "Anda dapat membayar dengannya lagi.",
            .suspended: "ditangguhkan. Anda tidak dapat membayar dengannya untuk sementara.", .deleted: "dihapus.",
        ],
        .thai: [
            .added: "เพิ่มแล้ว โปรดยืนยันว่าเป็นคุณก่อนใช้ชำระเงิน", .active: "พร้อมใช้ชำระเงิน", .resumed: "ใช้ชำระเงินได้อีกครั้ง",
            .suspended: "ถูกระงับ ขณะนี้ใช้ชำระเงินไม่ได้", .deleted: "ถูกนำออกแล้ว",
        ],
    ]
}
