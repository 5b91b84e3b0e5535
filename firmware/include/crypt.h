#error "crypt.h: not available; there is no cryptography"
