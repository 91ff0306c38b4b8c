/// A name under which published code imports the interfaces of a super app's own; everything in it is `GriverSimulator`'s.
@_exported public import GriverSimulator
