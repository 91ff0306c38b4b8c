// Texts of messages with known values (alipay-plus.md#presentation, alipay-plus.md#objects, alipay-plus.md#wallet-side [D]). A value that
// is not listed is read all the same.

/// How the person pays: `CONNECT_WALLET` for the sheet, or the name of a wallet such as `ALIPAY_HK`.
public struct PaymentMethodType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let connectWallet: Self = "CONNECT_WALLET"
}

/// How methods stand at the merchant: one entry for all wallets, one each, or groups.
public struct PresentmentMode: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unified: Self = "UNIFIED"
    public static let tile: Self = "TILE"
    /// Some clients spell it so [O].
    public static let tiled: Self = "TILED"
    public static let bundle: Self = "BUNDLE"
}

/// Who shows a code at the till.
public struct InStorePaymentScenario: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person shows one.
    public static let paymentCode: Self = "PaymentCode"
    /// The merchant shows one, for one order.
    public static let orderCode: Self = "OrderCode"
    /// A static one of the store.
    public static let entryCode: Self = "EntryCode"
}

/// Where the person is.
public struct TerminalType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let web: Self = "WEB"
    public static let wap: Self = "WAP"
    public static let app: Self = "APP"
    public static let miniApp: Self = "MINI_APP"
}

/// The phone's system; needed for `APP` and `WAP`.
public struct OSType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ios: Self = "IOS"
    public static let android: Self = "ANDROID"
}

/// What a transaction of a payment was.
public struct TransactionType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let payment: Self = "PAYMENT"
    public static let refund: Self = "REFUND"
    public static let cancel: Self = "CANCEL"
    public static let capture: Self = "CAPTURE"
    public static let authorization: Self = "AUTHORIZATION"
    public static let void: Self = "VOID"
}

/// What became of a transaction.
public struct TransactionStatus: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let success: Self = "SUCCESS"
    public static let fail: Self = "FAIL"
    public static let processing: Self = "PROCESSING"
    public static let cancelled: Self = "CANCELLED"
    /// Newer lists only.
    public static let pending: Self = "PENDING"
}

/// What a token is applied for with.
public struct GrantType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let authorizationCode: Self = "AUTHORIZATION_CODE"
    public static let refreshToken: Self = "REFRESH_TOKEN"
}

/// What happened to an authorisation.
public struct AuthorizationNotifyType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let tokenCreated: Self = "TOKEN_CREATED"
    public static let tokenCanceled: Self = "TOKEN_CANCELED"
    public static let authCodeCreated: Self = "AUTHCODE_CREATED"
}

/// Whose kind of code was scanned.
public struct CodeType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let orderCode: Self = "ORDER_CODE"
    public static let storeCode: Self = "STORE_CODE"
}

/// How a code is drawn.
public struct CodeValueType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let barcode: Self = "BARCODE"
    public static let qrCode: Self = "QRCODE"
}

/// What a code's value is: its text, or the address of a picture in one of three sizes.
public struct CodeDisplayType: WireName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let text: Self = "TEXT"
    public static let smallImage: Self = "SMALLIMAGE"
    public static let middleImage: Self = "MIDDLEIMAGE"
    public static let bigImage: Self = "BIGIMAGE"
}
