/** Tests of {@code org.aspas.emulab.experiments.page}. */
package org.aspas.emulab.experiments.page;
