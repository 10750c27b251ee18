package org.aspas.emulab.baselines.bft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EqualAnswersTest {
    @Test
    void oneReplicaIsNotBelievedHoweverOftenItAnswers() {
        EqualAnswers answers = new EqualAnswers(2);
        assertThat(answers.take(0, new byte[] {1})).isFalse();
        assertThat(answers.take(0, new byte[] {1})).isFalse();
        assertThat(answers.take(1, new byte[] {2})).isFalse();
        // Its first answer counts, whatever it says later.
        assertThat(answers.take(0, new byte[] {2})).isFalse();
        assertThat(answers.take(2, new byte[] {2})).isTrue();
    }
}
