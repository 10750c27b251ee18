package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToleranceClassTest {
    @Test
    void aHundredClientsAreMixedAsInTable1() {
        List<ToleranceClass> mix = ToleranceClass.mix(100);
        assertThat(Collections.frequency(mix, ToleranceClass.TAU_1)).isEqualTo(3);
        assertThat(Collections.frequency(mix, ToleranceClass.TAU_1000)).isEqualTo(30);
        assertThat(Collections.frequency(mix, ToleranceClass.TAU_INF)).isEqualTo(67);
    }

    @Test
    void fromThreeClientsEveryClassHasOne() {
        for (int clients = 3; clients <= 64; clients++) {
            assertThat(ToleranceClass.mix(clients)).hasSize(clients).contains(ToleranceClass.values());
        }
    }
}
