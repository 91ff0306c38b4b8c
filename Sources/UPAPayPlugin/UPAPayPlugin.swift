/// A name under which published code imports UnionPay's plug-in for Apple Pay; everything in it is `UnionPayApp`'s.
@_exported public import UnionPayApp
