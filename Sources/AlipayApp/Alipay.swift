/// The name that an older document gives ``AlipaySDK``. An app that also imports the module `Alipay`, which is the protocol, writes the
/// newer name.
public typealias Alipay = AlipaySDK
