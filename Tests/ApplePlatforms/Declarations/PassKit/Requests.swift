@_exported public import Contacts
public import Foundation

/// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork>
@available(iOS 8, *)
public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/init(rawvalue:)>
    @available(iOS 8, *)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/amex>
    @available(iOS 8, *)
    public static let amex = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/bancomat>
    @available(iOS 16, *)
    public static let bancomat = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/bancontact>
    @available(iOS 16, *)
    public static let bancontact = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/cartesbancaires>
    @available(iOS 11.2, *)
    public static let cartesBancaires = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/chinaunionpay>
    @available(iOS 9.2, *)
    public static let chinaUnionPay = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/dankort>
    @available(iOS 15.1, *)
    public static let dankort = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/discover>
    @available(iOS 9, *)
    public static let discover = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/eftpos>
    @available(iOS 12, *)
    public static let eftpos = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/electron>
    @available(iOS 12, *)
    public static let electron = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/elo>
    @available(iOS 12.1.1, *)
    public static let elo = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/girocard>
    @available(iOS 14, *)
    public static let girocard = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/interac>
    @available(iOS 9.2, *)
    public static let interac = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/jcb>
    @available(iOS 10.1, *)
    public static let JCB = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/mada>
    @available(iOS 12.1.1, *)
    public static let mada = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/maestro>
    @available(iOS 12, *)
    public static let maestro = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/mastercard>
    @available(iOS 8, *)
    public static let masterCard = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/mir>
    @available(iOS 14.5, *)
    public static let mir = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/privatelabel>
    @available(iOS 9, *)
    public static let privateLabel = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/visa>
    @available(iOS 8, *)
    public static let visa = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkpaymentnetwork/vpay>
    @available(iOS 12, *)
    public static let vPay = Self(rawValue: "")
}

/// <https://developer.apple.com/documentation/passkit/pkmerchantcapability>
@available(iOS 8, *)
public struct PKMerchantCapability: OptionSet, Sendable {
    public let rawValue: UInt
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/init(rawvalue:)>
    @available(iOS 8, *)
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/threedsecure>
    @available(iOS 8, *)
    public static let threeDSecure = Self(rawValue: 1 << 0)
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/emv>
    @available(iOS 8, *)
    public static let emv = Self(rawValue: 1 << 1)
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/credit>
    @available(iOS 9, *)
    public static let credit = Self(rawValue: 1 << 2)
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/debit>
    @available(iOS 9, *)
    public static let debit = Self(rawValue: 1 << 3)
    /// <https://developer.apple.com/documentation/passkit/pkmerchantcapability/instantfundsout>
    @available(iOS 17, *)
    public static let instantFundsOut = Self(rawValue: 1 << 7)
}

/// <https://developer.apple.com/documentation/passkit/pkcontactfield>
@available(iOS 11, *)
public struct PKContactField: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// <https://developer.apple.com/documentation/passkit/pkcontactfield/postaladdress>
    @available(iOS 11, *)
    public static let postalAddress = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkcontactfield/emailaddress>
    @available(iOS 11, *)
    public static let emailAddress = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkcontactfield/phonenumber>
    @available(iOS 11, *)
    public static let phoneNumber = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkcontactfield/name>
    @available(iOS 11, *)
    public static let name = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkcontactfield/phoneticname>
    @available(iOS 11, *)
    public static let phoneticName = Self(rawValue: "")
}

/// <https://developer.apple.com/documentation/passkit/pkshippingtype>
@available(iOS 8.3, *)
public enum PKShippingType: UInt, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkshippingtype/shipping>
    @available(iOS 8.3, *)
    case shipping
    /// <https://developer.apple.com/documentation/passkit/pkshippingtype/delivery>
    @available(iOS 8.3, *)
    case delivery
    /// <https://developer.apple.com/documentation/passkit/pkshippingtype/storepickup>
    @available(iOS 8.3, *)
    case storePickup
    /// <https://developer.apple.com/documentation/passkit/pkshippingtype/servicepickup>
    @available(iOS 8.3, *)
    case servicePickup
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitemtype>
@available(iOS 9, *)
public enum PKPaymentSummaryItemType: UInt, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitemtype/final>
    @available(iOS 9, *)
    case final
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitemtype/pending>
    @available(iOS 9, *)
    case pending
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem>
@available(iOS 8, *)
open class PKPaymentSummaryItem: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem/init(label:amount:)>
    @available(iOS 8, *)
    public convenience init(label: String, amount: NSDecimalNumber) { self.init() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem/init(label:amount:type:)>
    @available(iOS 9, *)
    public convenience init(label: String, amount: NSDecimalNumber, type: PKPaymentSummaryItemType) { self.init() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem/label>
    @available(iOS 8, *)
    open var label = ""
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem/amount>
    @available(iOS 8, *)
    open var amount = NSDecimalNumber.zero
    /// <https://developer.apple.com/documentation/passkit/pkpaymentsummaryitem/type>
    @available(iOS 9, *)
    open var type = PKPaymentSummaryItemType.final
}

/// <https://developer.apple.com/documentation/passkit/pkshippingmethod>
@available(iOS 8, *)
open class PKShippingMethod: PKPaymentSummaryItem {
    /// <https://developer.apple.com/documentation/passkit/pkshippingmethod/identifier>
    @available(iOS 8, *)
    open var identifier: String?
    /// <https://developer.apple.com/documentation/passkit/pkshippingmethod/detail>
    @available(iOS 8, *)
    open var detail: String?
}

/// <https://developer.apple.com/documentation/passkit/pkcontact>
@available(iOS 9, *)
open class PKContact: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkcontact/name>
    @available(iOS 9, *)
    open var name: PersonNameComponents?
    /// <https://developer.apple.com/documentation/passkit/pkcontact/postaladdress>
    @available(iOS 9, *)
    open var postalAddress: CNPostalAddress?
    /// <https://developer.apple.com/documentation/passkit/pkcontact/phonenumber>
    @available(iOS 9, *)
    open var phoneNumber: CNPhoneNumber?
    /// <https://developer.apple.com/documentation/passkit/pkcontact/emailaddress>
    @available(iOS 9, *)
    open var emailAddress: String?
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequest>
@available(iOS 8, *)
open class PKPaymentRequest: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/availablenetworks()>
    @available(iOS 10, *)
    open class func availableNetworks() -> [PKPaymentNetwork] { [] }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/merchantidentifier>
    @available(iOS 8, *)
    open var merchantIdentifier = ""
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/countrycode>
    @available(iOS 8, *)
    open var countryCode = ""
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/currencycode>
    @available(iOS 8, *)
    open var currencyCode = ""
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/supportednetworks>
    @available(iOS 8, *)
    open var supportedNetworks: [PKPaymentNetwork] = []
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/merchantcapabilities>
    @available(iOS 8, *)
    open var merchantCapabilities: PKMerchantCapability = []
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentsummaryitems>
    @available(iOS 8, *)
    open var paymentSummaryItems: [PKPaymentSummaryItem] = []
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/requiredshippingcontactfields>
    @available(iOS 11, *)
    open var requiredShippingContactFields: Set<PKContactField> = []
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/shippingmethods>
    @available(iOS 8, *)
    open var shippingMethods: [PKShippingMethod]?
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/shippingtype>
    @available(iOS 8.3, *)
    open var shippingType = PKShippingType.shipping
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/supportscouponcode>
    @available(iOS 15, *)
    open var supportsCouponCode = false
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/applicationdata>
    @available(iOS 8, *)
    open var applicationData: Data?
}

extension PKPaymentRequest {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentcontactinvaliderror(withcontactfield:localizeddescription:)>
    @available(iOS 11, *)
    public class func paymentContactInvalidError(
        withContactField field: PKContactField, localizedDescription: String?
    ) -> any Error { CocoaError(.featureUnsupported) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentshippingaddressinvaliderror(withkey:localizeddescription:)>
    @available(iOS 11, *)
    public class func paymentShippingAddressInvalidError(
        withKey postalAddressKey: String, localizedDescription: String?
    ) -> any Error { CocoaError(.featureUnsupported) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentbillingaddressinvaliderror(withkey:localizeddescription:)>
    @available(iOS 11, *)
    public class func paymentBillingAddressInvalidError(
        withKey postalAddressKey: String, localizedDescription: String?
    ) -> any Error { CocoaError(.featureUnsupported) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentshippingaddressunserviceableerror(withlocalizeddescription:)>
    @available(iOS 11, *)
    public class func paymentShippingAddressUnserviceableError(
        withLocalizedDescription localizedDescription: String?
    ) -> any Error { CocoaError(.featureUnsupported) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentcouponcodeinvaliderror(localizeddescription:)>
    @available(iOS 15, *)
    public class func paymentCouponCodeInvalidError(localizedDescription: String?) -> any Error { CocoaError(.featureUnsupported) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequest/paymentcouponcodeexpirederror(localizeddescription:)>
    @available(iOS 15, *)
    public class func paymentCouponCodeExpiredError(localizedDescription: String?) -> any Error { CocoaError(.featureUnsupported) }
}
