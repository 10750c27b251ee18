package org.aspas.emulab.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.appserver.store.Durability;
import org.junit.jupiter.api.Test;

class SystemCatalogueTest {
    @Test
    void systemsOfAspasMayKeepTheirRecordsInFiles() {
        SystemChoice kept = SystemCatalogue.named("ASPAS2:sync").orElseThrow();
        assertThat(kept.name()).isEqualTo("aspas2:sync");
        assertThat(kept.durability()).isEqualTo(Durability.SYNC);
        assertThat(kept.mix()).isEqualTo(SystemCatalogue.USUAL.mix());
        assertThat(SystemCatalogue.isAspas(kept)).isTrue();
        assertThat(SystemCatalogue.named("aspas0:os").orElseThrow().durability())
                .isEqualTo(Durability.OS);
        assertThat(SystemCatalogue.USUAL.durability()).isNull();
    }

    @Test
    void otherSystemsAndWordsAreNone() {
        assertThat(SystemCatalogue.named("ap:sync")).isEmpty();
        assertThat(SystemCatalogue.named("aspas2:often")).isEmpty();
        assertThat(SystemCatalogue.named("obft:0")).isEmpty();
    }
}
