package org.aspas.certify.bound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long BEGIN = -5_000;

    private final TokenBucket bucket = new TokenBucket(3, 2, BEGIN);

    @Test
    void soManyAtOnceAndSoManyEachSecond() {
        assertThat(bucket.take(3, BEGIN)).isTrue();
        assertThat(bucket.take(BEGIN)).isFalse();
        assertThat(bucket.take(BEGIN + 499)).isFalse();
        assertThat(bucket.take(BEGIN + 500)).isTrue();
        assertThat(bucket.take(3, BEGIN + 1_500)).isFalse();
        assertThat(bucket.take(2, BEGIN + 1_500)).isTrue();
    }

    @Test
    void noMoreThanFullHoweverLongNothingIsTaken() {
        assertThat(bucket.take(3, BEGIN)).isTrue();
        assertThat(bucket.take(4, BEGIN + 1_000_000)).isFalse();
        assertThat(bucket.take(3, BEGIN + 1_000_000)).isTrue();
        assertThat(bucket.take(BEGIN + 1_000_000)).isFalse();
    }

    @Test
    void aClockThatBeginsEarlierThanTheBucketFillsItAllTheSame() {
        TokenBucket late = new TokenBucket(1, 1, 0);
        assertThat(late.take(BEGIN)).isTrue();
        assertThat(late.take(BEGIN + 999)).isFalse();
        assertThat(late.take(BEGIN + 1_000)).isTrue();
    }

    @Test
    void aPeriodMayBeLongerThanASecond() {
        TokenBucket bucket = new TokenBucket(2, 2, 60_000, 0);
        assertThat(bucket.take(2, 0)).isTrue();
        assertThat(bucket.take(29_999)).isFalse();
        assertThat(bucket.take(30_000)).isTrue();
        assertThat(new TokenBucket(0, 0, 60_000, 0).take(1_000_000)).isFalse();
    }

    @Test
    void whatIsOverdrawnHasToComeFirst() {
        bucket.overdraw(5);
        assertThat(bucket.take(BEGIN + 1_000)).isFalse();
        assertThat(bucket.take(BEGIN + 1_499)).isFalse();
        assertThat(bucket.take(BEGIN + 1_500)).isTrue();
    }
}
