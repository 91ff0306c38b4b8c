public import AlipayPlusValues

// The objects of an order (alipay-plus.md#objects [D]).

/// What is bought. `referenceOrderId` is the merchant's; one order may see many payment attempts.
public struct WireOrder: WireMessage {
    /// At most 64 characters.
    public var referenceOrderId: String
    /// At most 256 characters.
    public var orderDescription: String
    public var orderAmount: WireAmount
    public var merchant: WireMerchant?
    public var goods: [WireGoods]?
    public var shipping: WireShipping?
    public var buyer: WireBuyer?
    public var env: WireEnv?
    public var indirectAcquirer: WireIndirectAcquirer?

    public init(
        referenceOrderId: String, orderDescription: String, orderAmount: WireAmount, merchant: WireMerchant? = nil,
        goods: [WireGoods]? = nil, shipping: WireShipping? = nil, buyer: WireBuyer? = nil, env: WireEnv? = nil,
        indirectAcquirer: WireIndirectAcquirer? = nil
    ) {
        self.referenceOrderId = referenceOrderId
        self.orderDescription = orderDescription
        self.orderAmount = orderAmount
        self.merchant = merchant
        self.goods = goods
        self.shipping = shipping
        self.buyer = buyer
        self.env = env
        self.indirectAcquirer = indirectAcquirer
    }
}

/// Who sells.
public struct WireMerchant: WireMessage {
    /// The acquirer's; the same that the app client is set up with.
    public var referenceMerchantId: String?
    /// Four digits.
    public var merchantMCC: String?
    public var merchantName: String?
    public var merchantDisplayName: String?
    public var merchantAddress: WireAddress?
    public var merchantRegisterDate: String?
    public var store: WireStore?

    public init(
        referenceMerchantId: String? = nil, merchantMCC: String? = nil, merchantName: String? = nil,
        merchantDisplayName: String? = nil, merchantAddress: WireAddress? = nil, merchantRegisterDate: String? = nil,
        store: WireStore? = nil
    ) {
        self.referenceMerchantId = referenceMerchantId
        self.merchantMCC = merchantMCC
        self.merchantName = merchantName
        self.merchantDisplayName = merchantDisplayName
        self.merchantAddress = merchantAddress
        self.merchantRegisterDate = merchantRegisterDate
        self.store = store
    }
}

/// Where it is sold.
public struct WireStore: WireMessage {
    public var referenceStoreId: String?
    public var storeName: String?
    public var storeMCC: String?
    public var storeDisplayName: String?
    public var storeTerminalId: String?
    public var storeOperatorId: String?
    public var storePhoneNo: String?
    public var storeAddress: WireAddress?

    public init(
        referenceStoreId: String? = nil, storeName: String? = nil, storeMCC: String? = nil, storeDisplayName: String? = nil,
        storeTerminalId: String? = nil, storeOperatorId: String? = nil, storePhoneNo: String? = nil,
        storeAddress: WireAddress? = nil
    ) {
        self.referenceStoreId = referenceStoreId
        self.storeName = storeName
        self.storeMCC = storeMCC
        self.storeDisplayName = storeDisplayName
        self.storeTerminalId = storeTerminalId
        self.storeOperatorId = storeOperatorId
        self.storePhoneNo = storePhoneNo
        self.storeAddress = storeAddress
    }
}

/// One line of an order.
public struct WireGoods: WireMessage {
    public var referenceGoodsId: String?
    public var goodsName: String?
    public var goodsCategory: String?
    public var goodsBrand: String?
    public var goodsUnitAmount: WireAmount?
    public var goodsQuantity: String?

    public init(
        referenceGoodsId: String? = nil, goodsName: String? = nil, goodsCategory: String? = nil, goodsBrand: String? = nil,
        goodsUnitAmount: WireAmount? = nil, goodsQuantity: String? = nil
    ) {
        self.referenceGoodsId = referenceGoodsId
        self.goodsName = goodsName
        self.goodsCategory = goodsCategory
        self.goodsBrand = goodsBrand
        self.goodsUnitAmount = goodsUnitAmount
        self.goodsQuantity = goodsQuantity
    }
}

/// Who buys, as the merchant knows them.
public struct WireBuyer: WireMessage {
    /// Recommended for cashier payments.
    public var referenceBuyerId: String?
    public var buyerName: WireUserName?
    public var buyerPhoneNo: String?
    public var buyerEmail: String?

    public init(referenceBuyerId: String? = nil, buyerName: WireUserName? = nil, buyerPhoneNo: String? = nil, buyerEmail: String? = nil) {
        self.referenceBuyerId = referenceBuyerId
        self.buyerName = buyerName
        self.buyerPhoneNo = buyerPhoneNo
        self.buyerEmail = buyerEmail
    }
}

/// The device at which the person is.
public struct WireEnv: WireMessage {
    public var terminalType: TerminalType?
    public var osType: OSType?
    public var userAgent: String?
    /// At most 64 characters.
    public var deviceTokenId: String?
    /// At most 32 characters.
    public var clientIp: String?
    public var cookieId: String?
    /// At most 64 characters.
    public var storeTerminalId: String?
    public var storeTerminalRequestTime: AlipayPlusTime?

    public init(
        terminalType: TerminalType? = nil, osType: OSType? = nil, userAgent: String? = nil, deviceTokenId: String? = nil,
        clientIp: String? = nil, cookieId: String? = nil, storeTerminalId: String? = nil,
        storeTerminalRequestTime: AlipayPlusTime? = nil
    ) {
        self.terminalType = terminalType
        self.osType = osType
        self.userAgent = userAgent
        self.deviceTokenId = deviceTokenId
        self.clientIp = clientIp
        self.cookieId = cookieId
        self.storeTerminalId = storeTerminalId
        self.storeTerminalRequestTime = storeTerminalRequestTime
    }
}
