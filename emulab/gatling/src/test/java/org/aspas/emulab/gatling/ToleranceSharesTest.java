package org.aspas.emulab.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToleranceSharesTest {
    @Test
    void everyHundredUsersHaveTheShares() {
        ToleranceShares shares = ToleranceShares.parse("1=3,1000=30,unbounded=67");
        long[] users = LongStream.range(40, 140).map(shares::of).toArray();
        assertThat(users).hasSize(100);
        assertThat(LongStream.of(users).filter(tau -> tau == 1).count()).isEqualTo(3);
        assertThat(LongStream.of(users).filter(tau -> tau == 1000).count()).isEqualTo(30);
        assertThat(LongStream.of(users).filter(tau -> tau == 0).count()).isEqualTo(67);
    }

    @Test
    void oneTauIsThatOfAllUsers() {
        assertThat(ToleranceShares.parse("1").of(17)).isEqualTo(1);
        assertThat(ToleranceShares.parse("unbounded").of(17)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "-1", "many", "1=50", "1=50,unbounded=51", "1=x", "1=50,unbounded=50,", "unbounded=200"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> ToleranceShares.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("τ");
    }
}
