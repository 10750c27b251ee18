package org.aspas.certify.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is bounded stays within its bound. */
class BoundTest {
    @Test
    void aPauseDoublesUpToItsBoundAndBeginsAnewAfterASuccess() {
        assertThat(Stream.iterate(Backoff.of(100, 500), Backoff::next).limit(5).mapToLong(Backoff::pause))
                .containsExactly(100L, 200L, 400L, 500L, 500L);
        assertThat(Backoff.of(100, 500).next().next().reset()).isEqualTo(Backoff.of(100, 500));
        assertThat(Backoff.of(1, Long.MAX_VALUE).next().pause()).isEqualTo(2);
        assertThat(new Backoff(1, Long.MAX_VALUE, Long.MAX_VALUE - 1).next().pause())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Backoff.upTo(3, 8)).isEqualTo(Backoff.of(3, 24));
        assertThat(Backoff.upTo(Long.MAX_VALUE / 2, 8).longest()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Backoff.of(0, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.of(6, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofAMapThatIsFullTheEntryGoesThatWasPutInFirst() {
        BoundedMap<Long, String> map = new BoundedMap<>(3);
        LongStream.of(7, 3, 5, 7).forEach(key -> map.put(key, "first"));
        map.put(1L, "second");
        assertThat(map.keySet()).containsExactly(3L, 5L, 1L);
        map.put(5L, "third");
        assertThat(map.keySet()).containsExactly(3L, 5L, 1L);
    }
}
