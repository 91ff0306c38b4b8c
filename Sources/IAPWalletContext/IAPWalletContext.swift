/// The published samples import this module; everything in it is `WalletAPI`'s.
@_exported public import WalletAPI
