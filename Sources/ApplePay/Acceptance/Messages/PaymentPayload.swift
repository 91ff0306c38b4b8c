public import BillfoldDiagnosis
public import BillfoldJSON

/// What the token held: the decrypted payload (apple-pay.md#payload).
///
/// The card number substitute, the cryptogram and the PIN block are cardholder data and travel in `Secret`.
/// `transactionAmount` is what the sheet showed as the device wrote it: compare it, never charge it.
public struct PaymentPayload: Sendable {
    /// What the issuer needs to see that the card's own key took part.
    public enum PaymentData: Sendable {
        /// `paymentDataType` is `3DSecure`.
        case threeDSecure(ThreeDSecureData)
        /// `paymentDataType` is `EMV`; China UnionPay.
        case emv(EMVData)

        /// The field's own spelling.
        public var type: String {
            switch self {
            case .threeDSecure: "3DSecure"
            case .emv: "EMV"
            }
        }
    }

    /// The cryptogram and what belongs to it, for networks that take it as they take 3-D Secure.
    public struct ThreeDSecureData: Sendable {
        /// Base64 as received; it goes to the acquirer unchanged.
        public var onlinePaymentCryptogram: Secret<String>
        /// Forward exactly as given: `5`, `7`, `05` and absent were all seen. [V]
        public var eciIndicator: String?
        /// Members this library does not know, kept as they came; what they hold may be sensitive.
        public var otherMembers: Secret<[JSONObject.Member]>

        public init(
            onlinePaymentCryptogram: Secret<String>, eciIndicator: String? = nil, otherMembers: Secret<[JSONObject.Member]> = Secret([])
        ) {
            self.onlinePaymentCryptogram = onlinePaymentCryptogram
            self.eciIndicator = eciIndicator
            self.otherMembers = otherMembers
        }
    }

    /// Chip data, and the PIN where the sheet asked for one.
    public struct EMVData: Sendable {
        /// Base64 TLV as received; it goes to the acquirer unchanged. ``EMVTags`` reads it for diagnosis only.
        public var emvData: Secret<String>
        /// Hex as received, sealed for the card network; absent when the sheet asked for no PIN.
        public var encryptedPINData: Secret<String>?
        /// Members this library does not know, kept as they came; what they hold may be sensitive.
        public var otherMembers: Secret<[JSONObject.Member]>

        public init(
            emvData: Secret<String>, encryptedPINData: Secret<String>? = nil, otherMembers: Secret<[JSONObject.Member]> = Secret([])
        ) {
            self.emvData = emvData
            self.encryptedPINData = encryptedPINData
            self.otherMembers = otherMembers
        }
    }

    /// One sub-merchant's part of a multi-token payment.
    public struct AuthenticationResponse: Sendable {
        public var merchantIdentifier: String
        public var authenticationData: Secret<String>
        /// Minor units; the field is text on the wire.
        public var transactionAmount: Int64
        /// Members this library does not know, kept as they came; what they hold may be sensitive.
        public var otherMembers: Secret<[JSONObject.Member]>

        public init(
            merchantIdentifier: String, authenticationData: Secret<String>, transactionAmount: Int64,
            otherMembers: Secret<[JSONObject.Member]> = Secret([])
        ) {
            self.merchantIdentifier = merchantIdentifier
            self.authenticationData = authenticationData
            self.transactionAmount = transactionAmount
            self.otherMembers = otherMembers
        }
    }

    /// The device's or the merchant's substitute for the card number: digits.
    public var applicationPrimaryAccountNumber: Secret<String>
    /// YYMMDD.
    public var applicationExpirationDate: String
    /// ISO 4217 numeric, three digits with leading zeros, for example `156`.
    public var currencyCode: String
    /// Minor units, as the sheet showed it.
    public var transactionAmount: Int64
    public var cardholderName: Secret<String>?
    /// Hex.
    public var deviceManufacturerIdentifier: String
    public var paymentData: PaymentData
    /// Present when the number is a merchant token that outlives the device.
    public var merchantTokenIdentifier: String?
    public var merchantTokenMetadata: JSONObject?
    public var authenticationResponses: [AuthenticationResponse]
    /// Members this library does not know, kept as they came; what they hold may be sensitive.
    public var otherMembers: Secret<[JSONObject.Member]>

    public init(
        applicationPrimaryAccountNumber: Secret<String>, applicationExpirationDate: String, currencyCode: String,
        transactionAmount: Int64, cardholderName: Secret<String>? = nil, deviceManufacturerIdentifier: String = "040010030273",
        paymentData: PaymentData, merchantTokenIdentifier: String? = nil, merchantTokenMetadata: JSONObject? = nil,
        authenticationResponses: [AuthenticationResponse] = [], otherMembers: Secret<[JSONObject.Member]> = Secret([])
    ) {
        self.applicationPrimaryAccountNumber = applicationPrimaryAccountNumber
        self.applicationExpirationDate = applicationExpirationDate
        self.currencyCode = currencyCode
        self.transactionAmount = transactionAmount
        self.cardholderName = cardholderName
        self.deviceManufacturerIdentifier = deviceManufacturerIdentifier
        self.paymentData = paymentData
        self.merchantTokenIdentifier = merchantTokenIdentifier
        self.merchantTokenMetadata = merchantTokenMetadata
        self.authenticationResponses = authenticationResponses
        self.otherMembers = otherMembers
    }
}

extension PaymentPayload: CustomStringConvertible {
    /// Masked: first six and last four digits, and no cryptogram.
    public var description: String {
        let number = Mask.cardNumber(applicationPrimaryAccountNumber.reveal())
        return "\(paymentData.type) \(number), expires \(applicationExpirationDate), \(transactionAmount) minor units of \(currencyCode)"
    }
}
