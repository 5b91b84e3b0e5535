/* Matrices of integers: product, transpose, powers modulo a prime, determinant by elimination. */
#include "benchmark.h"

enum { N = 16, PRIME = 10007 };

typedef int32_t matrix[N][N];

static matrix a, b, product, work_matrix;

static void fill(matrix m, uint32_t seed) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m[i][j] = (int32_t)(next_random(&seed) % PRIME);
}

static void multiply(matrix out, matrix left, matrix right) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++) sum = (sum + left[i][k] * right[k][j] % PRIME) % PRIME;
            out[i][j] = sum;
        }
}

static void multiply_plain(matrix out, matrix left, matrix right) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < N; k++) sum += (uint32_t)left[i][k] * (uint32_t)right[k][j];
            out[i][j] = (int32_t)(sum >> 4);
        }
}

static void transpose(matrix m) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            int32_t other = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = other;
        }
}

static int32_t power(int32_t base, int exponent) {
    int32_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = result * base % PRIME;
        base = base * base % PRIME;
    }
    return result;
}

static int32_t determinant(matrix m) {
    int32_t result = 1;
    for (int column = 0; column < N; column++) {
        int pivot = column;
        while (pivot < N && m[pivot][column] == 0) pivot++;
        if (pivot == N) return 0;
        if (pivot != column) {
            for (int j = 0; j < N; j++) {
                int32_t other = m[pivot][j];
                m[pivot][j] = m[column][j];
                m[column][j] = other;
            }
            result = PRIME - result;
        }
        result = result * m[column][column] % PRIME;
        int32_t inverse = power(m[column][column], PRIME - 2);
        for (int i = column + 1; i < N; i++) {
            int32_t factor = m[i][column] * inverse % PRIME;
            for (int j = column; j < N; j++)
                m[i][j] = (m[i][j] + PRIME - factor * m[column][j] % PRIME) % PRIME;
        }
    }
    return result % PRIME;
}

static uint32_t work(void) {
    fill(a, 88172645u);
    fill(b, 521288629u);
    multiply(product, a, b);
    multiply_plain(work_matrix, product, a);
    uint32_t sum = 0;
    for (int i = 0; i < N; i++) sum = fold(sum, (uint32_t)work_matrix[i][(7 * i) % N]);
    transpose(product);
    /* The determinant of a product is the product of the determinants. */
    int32_t both = determinant(product);
    int32_t apart = determinant(a) * determinant(b) % PRIME;
    return both == apart ? fold(sum, (uint32_t)both) : 0;
}

int main(void) {
    return measure(work, 0x4cec87bau);
}
