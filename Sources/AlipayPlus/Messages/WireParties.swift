public import AlipayPlusValues

// Names, addresses and what goes with them (alipay-plus.md#objects [D]).

/// Where it goes.
public struct WireShipping: WireMessage {
    public var shippingName: WireUserName?
    public var shippingAddress: WireAddress?
    public var shippingCarrier: String?
    public var shippingPhoneNo: String?

    public init(
        shippingName: WireUserName? = nil, shippingAddress: WireAddress? = nil, shippingCarrier: String? = nil,
        shippingPhoneNo: String? = nil
    ) {
        self.shippingName = shippingName
        self.shippingAddress = shippingAddress
        self.shippingCarrier = shippingCarrier
        self.shippingPhoneNo = shippingPhoneNo
    }
}

/// An address. `region` is two letters.
public struct WireAddress: WireMessage {
    public var region: String?
    /// At most 8 characters.
    public var state: String?
    /// At most 32 characters.
    public var city: String?
    /// At most 256 characters.
    public var address1: String?
    /// At most 256 characters.
    public var address2: String?
    /// At most 32 characters.
    public var zipCode: String?

    public init(
        region: String? = nil, state: String? = nil, city: String? = nil, address1: String? = nil, address2: String? = nil,
        zipCode: String? = nil
    ) {
        self.region = region
        self.state = state
        self.city = city
        self.address1 = address1
        self.address2 = address2
        self.zipCode = zipCode
    }
}

/// A person's name.
public struct WireUserName: WireMessage {
    public var firstName: String?
    public var middleName: String?
    public var lastName: String?
    public var fullName: String?

    public init(firstName: String? = nil, middleName: String? = nil, lastName: String? = nil, fullName: String? = nil) {
        self.firstName = firstName
        self.middleName = middleName
        self.lastName = lastName
        self.fullName = fullName
    }
}

/// An acquirer behind the acquirer.
public struct WireIndirectAcquirer: WireMessage {
    public var referenceAcquirerId: String?
    public var acquirerName: String?
    public var acquirerAddress: WireAddress?

    public init(referenceAcquirerId: String? = nil, acquirerName: String? = nil, acquirerAddress: WireAddress? = nil) {
        self.referenceAcquirerId = referenceAcquirerId
        self.acquirerName = acquirerName
        self.acquirerAddress = acquirerAddress
    }
}

/// One thing that happened to a payment: the payment itself, a refund, the cancellation.
public struct WireTransaction: WireMessage {
    public var transactionResult: AlipayPlusResult?
    public var transactionId: String?
    /// For a refund, its `refundRequestId`.
    public var transactionRequestId: String?
    public var transactionType: TransactionType?
    public var transactionStatus: TransactionStatus?
    public var transactionAmount: WireAmount?
    public var transactionTime: AlipayPlusTime?

    public init(
        transactionResult: AlipayPlusResult? = nil, transactionId: String? = nil, transactionRequestId: String? = nil,
        transactionType: TransactionType? = nil, transactionStatus: TransactionStatus? = nil,
        transactionAmount: WireAmount? = nil, transactionTime: AlipayPlusTime? = nil
    ) {
        self.transactionResult = transactionResult
        self.transactionId = transactionId
        self.transactionRequestId = transactionRequestId
        self.transactionType = transactionType
        self.transactionStatus = transactionStatus
        self.transactionAmount = transactionAmount
        self.transactionTime = transactionTime
    }
}
