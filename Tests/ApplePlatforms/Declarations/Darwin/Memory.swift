@_exported public import Glibc

/// ISO/IEC 9899:2011, K.3.7.4.1
@discardableResult
@available(iOS 9, *)
public func memset_s(
    _ destination: UnsafeMutableRawPointer?, _ size: Int, _ byte: Int32, _ count: Int
) -> Int32 { 0 }
