//! Prints an error message on processors that this build does not support, instead of failing with SIGILL.
//!
//! A build for x86-64-v3 may use the instructions of that level anywhere, and `is_x86_feature_detected!` is a constant
//! in it. So the processor is checked before any Rust code runs, by a constructor that is written in assembly and uses
//! none of these instructions.

/// The features that a build requires beyond baseline x86-64: for each, the register in which the processor reports it
/// (`r12d`: leaf 1, ECX; `r13d`: leaf 7, EBX; `r14d`: leaf 0x80000001, ECX), the bit, and the name.
macro_rules! check {
    ($($register:literal $bit:literal $name:literal;)*) => {
        core::arch::naked_asm!(
            "push rbx",
            "push r12",
            "push r13",
            "push r14",
            "push rbp",
            "xor r13d, r13d",
            "xor r14d, r14d",
            "xor eax, eax",
            "cpuid",
            "mov ebp, eax",
            "mov eax, 1",
            "xor ecx, ecx",
            "cpuid",
            "mov r12d, ecx",
            "cmp ebp, 7",
            "jb 2f",
            "mov eax, 7",
            "xor ecx, ecx",
            "cpuid",
            "mov r13d, ebx",
            "2:",
            "mov eax, 0x80000000",
            "cpuid",
            "cmp eax, 0x80000001",
            "jb 2f",
            "mov eax, 0x80000001",
            "cpuid",
            "mov r14d, ecx",
            "2:",
            // AVX works only if the system saves the upper halves of the vector registers.
            "bt r12d, 27",
            "jnc 2f",
            "xor ecx, ecx",
            "xgetbv",
            "and eax, 6",
            "cmp eax, 6",
            "je 3f",
            "2:",
            "and r12d, ~(1 << 28)",
            "and r13d, ~(1 << 5)",
            "3:",
            $(concat!("bt ", $register, ", ", $bit), "jnc 4f",)*
            "pop rbp",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "ret",
            "4:",
            "lea rsi, [rip + {begin}]",
            "mov edx, {begin_length}",
            "mov edi, 2",
            "call {write}",
            $(
                concat!("bt ", $register, ", ", $bit),
                "jc 5f",
                "lea rsi, [rip + 6f]",
                "lea rdx, [rip + 7f]",
                "sub rdx, rsi",
                "mov edi, 2",
                "call {write}",
                "jmp 5f",
                "6:",
                concat!(".ascii \" ", $name, "\""),
                "7:",
                "5:",
            )*
            "lea rsi, [rip + {end}]",
            "mov edx, {end_length}",
            "mov edi, 2",
            "call {write}",
            "mov edi, 1",
            "call {exit}",
            "ud2",
            begin = sym BEGIN,
            begin_length = const BEGIN.len(),
            end = sym END,
            end_length = const END.len(),
            write = sym write,
            exit = sym _exit,
        )
    };
}

static BEGIN: [u8; 69] = *b"sanban: this program is built for x86-64-v3, and this processor lacks";
static END: [u8; 63] = *b" (Intel since Haswell, 2013, and AMD since Zen, 2017, have it)\n";

unsafe extern "C" {
    fn write(file: i32, bytes: *const u8, length: usize) -> isize;
    fn _exit(code: i32) -> !;
}

/// Ends the program with a message if the processor lacks a required feature.
#[unsafe(naked)]
extern "C" fn check() {
    check! {
        "r12d" "0" "SSE3";
        "r12d" "9" "SSSE3";
        "r12d" "12" "FMA";
        "r12d" "19" "SSE4.1";
        "r12d" "20" "SSE4.2";
        "r12d" "22" "MOVBE";
        "r12d" "23" "POPCNT";
        "r12d" "28" "AVX";
        "r12d" "29" "F16C";
        "r13d" "3" "BMI1";
        "r13d" "5" "AVX2";
        "r13d" "8" "BMI2";
        "r14d" "5" "LZCNT";
    }
}

/// Called by the system before `main` and before the constructors of the standard library.
#[used]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array.00098"))]
static CONSTRUCTOR: extern "C" fn() = check;

pub fn keep() {
    std::hint::black_box(CONSTRUCTOR);
}
