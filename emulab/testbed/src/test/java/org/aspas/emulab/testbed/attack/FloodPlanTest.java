package org.aspas.emulab.testbed.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FloodPlanTest {
    @Test
    void eachNameIsAPlanByWebSocketsAndOneByBinarySessions() {
        for (String name : FloodPlan.names()) {
            assertThat(FloodPlan.named(name)).hasValueSatisfying(plan -> {
                assertThat(plan.name()).isEqualTo(name);
                assertThat(plan.sessions()).isFalse();
            });
            assertThat(FloodPlan.named("session-" + name))
                    .hasValueSatisfying(plan -> assertThat(plan.sessions()).isTrue());
        }
    }

    @Test
    void floodsAreAllKindsAndAKindIsItself() {
        assertThat(FloodPlan.named("floods")).contains(FloodPlan.USUAL);
        assertThat(FloodPlan.named("session-deaf-reads"))
                .contains(new FloodPlan("session-deaf-reads", List.of(Flood.Kind.DEAF_READS), true));
        assertThat(FloodPlan.named("rain")).isEmpty();
        assertThat(FloodPlan.named("session-")).isEmpty();
    }
}
