// Numbers here, where Linux has an enumeration: Glibc's own names stand behind these.

/// IEEE Std 1003.1-2017, sys/resource.h
@available(iOS 2, *)
public let RLIMIT_CORE: Int32 = 4
/// IEEE Std 1003.1-2017, sys/resource.h
@available(iOS 2, *)
public let RLIMIT_FSIZE: Int32 = 1
/// IEEE Std 1003.1-2017, sys/resource.h
@available(iOS 2, *)
public let RLIMIT_DATA: Int32 = 2
