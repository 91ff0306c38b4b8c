// The few names of Apple's own that the documents' calls stand on. A compiler of another system has no framework to take them from.
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
- (BOOL)isEqualToString:(NSString *)other;
@end

@interface NSConstantString : NSString
@end

@interface NSNumber : NSObject
@end

@interface NSURL : NSObject
@property (readonly) NSString *host;
@end

@interface NSArray<Element> : NSObject
@end

@interface NSDictionary<Key, Value> : NSObject
- (id)objectForKeyedSubscript:(id)key;
@end

@interface NSError : NSObject
@property (readonly) NSInteger code;
@end

@interface NSUserActivity : NSObject
@end
@protocol NSCoding
@end
@class NSCoder, UIViewController, UIWindow;
