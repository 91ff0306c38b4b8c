/// <https://developer.apple.com/documentation/corefoundation/cfstringencoding>
@available(iOS 2, *)
public typealias CFStringEncoding = UInt32

/// <https://developer.apple.com/documentation/corefoundation/cfstringencodings>
@available(iOS 2, *)
public enum CFStringEncodings: Int, Sendable {
    /// <https://developer.apple.com/documentation/corefoundation/cfstringencodings/gb_18030_2000>
    @available(iOS 2, *)
    case GB_18030_2000 = 0x0632
}

/// <https://developer.apple.com/documentation/corefoundation/cfstringconvertencodingtonsstringencoding(_:)>
@available(iOS 2, *)
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { 0 }
